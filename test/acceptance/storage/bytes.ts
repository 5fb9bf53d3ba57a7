import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { storage } from '#storage/app.ts'
import { blobs } from '#storage/blobs/state.ts'
import type { Booted } from '#test/support/boot.ts'

/** The blobs in the engine of a system, seen from another node: that has caches of its own. */
export const bytesOf = (system: Booted) => {
  const ctx = storage.context({ ...system.platform, clock: system.clock, moduleStates: new Map() })
  const { engine } = blobs(ctx)
  return {
    ctx,
    engine,
    /** Every blob, and every draft if there are drafts. */
    async held() {
      const names: string[] = await readdir(join(system.dataDir, 'blobs', 'drafts')).catch(() => [])
      for await (const { id } of engine.list()) names.push(id)
      return names
    },
    /** Replaces the bytes of a blob without the system's knowledge. */
    overwrite: (id: string, bytes: Buffer) =>
      engine.write(
        id,
        (async function* () {
          yield bytes
        })(),
      ),
  }
}
