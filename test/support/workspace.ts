import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder that becomes the temporary directory of this process and of all it starts, so that whatever a failed or
 * interrupted test leaves there goes with it. Its name is short, because sockets have to fit below it.
 */
export const makeWorkspace = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-'))
  await chmod(folder, 0o711) // the database's own account must get through
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
