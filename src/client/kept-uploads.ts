import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const folder = () => join(homedir(), '.local/state/trivet/uploads')

/** Remembers the id of an upload in parts until it is done, so that the same command can continue it. */
export const keptUpload = (...identity: (string | number)[]) => {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
  const file = join(folder(), name)
  return {
    read: () => readFile(file, 'utf8').catch(() => undefined),
    async keep(uploadId: string) {
      await mkdir(folder(), { recursive: true, mode: 0o700 })
      await writeFile(file, uploadId, { mode: 0o600 })
    },
    forget: () => rm(file, { force: true }),
  }
}
