import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from './cleanup.ts'

/** A new folder that is removed when all tests of the file are over. */
export const temporaryFolder = async (name: string) => {
  const folder = await mkdtemp(join(tmpdir(), `trivet-${name}-`))
  await chmod(folder, 0o711) // the account of the embedded PostgreSQL must be able to pass through
  cleanUp(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
