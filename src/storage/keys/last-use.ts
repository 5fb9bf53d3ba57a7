import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { saveLastUses } from './store.ts'

/** When keys were last used: noted in memory on every request, written to the database for all keys at once. */
export const createLastUse = ({ db, clock, log }: Platform) => {
  let noted = new Map<string, Date>()
  return {
    note: (keyId: string) => void noted.set(keyId, clock.now()),
    /** The last use of a key that is not in the database yet. */
    of: (keyId: string) => noted.get(keyId)?.toISOString(),
    async flush() {
      if (noted.size === 0) return
      const writing = noted
      noted = new Map()
      try {
        await saveLastUses(db.sql, [...writing.keys()], [...writing.values()])
      } catch (err) {
        log.warn({ err }, 'last uses of keys could not be written, will be tried again')
        noted = new Map([...writing, ...noted])
      }
    },
  }
}

export const keyUses = moduleState(createLastUse)
