import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates the temporary directory (TMPDIR) of this process and its children, so that leftovers of failed or interrupted
 * tests are removed with it. Its path is short, because the paths of Unix sockets are limited.
 */
export const makeWorkspace = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-'))
  await chmod(folder, 0o711) // the account of PostgreSQL must be able to pass through
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
