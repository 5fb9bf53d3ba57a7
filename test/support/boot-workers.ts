import type { movableClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/database.ts'
import type { OpenPlatform } from '#platform/platform.ts'
import { serveProcess } from '#test/processes/fixtures/trivet-process.ts'

/** Serves with several processes, as `trivet serve` does, and returns what tests use of a system in their own process. */
export const startWorkers = async (env: Record<string, string | undefined>, workers: string) => {
  const settings = Object.entries({ ...env, TRIVET_WORKERS: workers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const server = await serveProcess(Object.fromEntries(settings))
  const db = await openDatabase(env.DATABASE_URL as string)
  return {
    urls: server.urls,
    sql: db.sql,
    /** All of it that is in this process. */
    platform: { db } as unknown as OpenPlatform,
    get clock(): ReturnType<typeof movableClock> {
      throw new Error('Workers have a clock of their own, which cannot be moved')
    },
    async close() {
      await db.close()
      await server.stop()
    },
  }
}
