import type { Platform } from '#platform/platform.ts'
import { saveLastUses } from './store.ts'

export type LastUse = {
  note(keyId: string): void
  /** The last use of a key that this node knows of and has not written down yet. */
  of(keyId: string): string | undefined
  flush(): Promise<void>
}

/** When keys were last used: noted in memory on every request, written down for all of them now and then. */
export const createLastUse = ({ db, clock, log }: Platform): LastUse => {
  let noted = new Map<string, Date>()
  return {
    note: (keyId) => void noted.set(keyId, clock.now()),
    of: (keyId) => noted.get(keyId)?.toISOString(),
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
