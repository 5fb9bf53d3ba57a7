import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { storage } from '#storage/app.ts'
import type { Booted } from '#test/support/boot.ts'

/** A look at what the engine of a system holds, whichever it is. */
export const bytesOf = (system: Booted) => {
  const ctx = storage.context({ ...system.platform, clock: system.clock })
  return {
    ctx,
    /** Every blob, and every draft where there are drafts. */
    async held() {
      const names: string[] = await readdir(join(system.dataDir, 'blobs', 'drafts')).catch(() => [])
      for await (const { id } of ctx.blobs.engine.list()) names.push(id)
      return names
    },
    /** Puts bytes where a blob has its own, behind the back of the system. */
    overwrite: (id: string, bytes: Buffer) =>
      ctx.blobs.engine.write(
        id,
        (async function* () {
          yield bytes
        })(),
      ),
  }
}
