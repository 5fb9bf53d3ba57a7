import { openDatabase } from '#platform/db/database.ts'
import { serveProcess } from '#test/processes/fixtures/trivet-process.ts'

/** Serves with several processes, as `trivet serve` does, and returns what tests use of a system in their own process. */
export const startWorkers = async (env: Record<string, string | undefined>, workers: string) => {
  const settings = Object.entries({ ...env, TRIVET_WORKERS: workers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const server = await serveProcess(Object.fromEntries(settings))
  const db = await openDatabase(env.DATABASE_URL as string)
  const elsewhere = (what: string): never => {
    throw new Error(`The ${what} of the system is in other processes when workers serve`)
  }
  return {
    urls: server.urls,
    sql: db.sql,
    get clock() {
      return elsewhere('clock')
    },
    get platform() {
      return elsewhere('platform')
    },
    async close() {
      await db.close()
      await server.stop()
    },
  }
}
