import { fork } from 'node:child_process'
import { once } from 'node:events'
import postgres from 'postgres'
import type { Measure } from './measure.ts'

/**
 * How many of one query the driver alone can do, with nothing around it, in a process of its own. The sets of
 * parameters take turns.
 */
export const driverRate = async (
  socketFolder: string,
  query: string,
  ...parameters: unknown[][]
): Promise<{ measure: Measure; stop(): void }> => {
  const child = fork(new URL(import.meta.url), ['driver', socketFolder, query, JSON.stringify(parameters)])
  await once(child, 'message')
  return {
    measure: async (seconds) => {
      child.send(seconds)
      return (await once(child, 'message'))[0] as number
    },
    stop: () => void child.kill(),
  }
}

if (process.argv[2] === 'driver') {
  const [, , , host, query, parameters] = process.argv as string[]
  const sql = postgres({ host: host as string, port: 5432, user: 'trivet', database: 'trivet', max: 4 })
  const values = JSON.parse(parameters as string) as never[][]
  process.on('message', async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    let answers = 0
    let turn = 0
    const loop = async () => {
      while (performance.now() < end) {
        const rows = await sql.unsafe(query as string, values[turn++ % values.length], { prepare: true })
        JSON.stringify(rows)
        answers++
      }
    }
    await Promise.all(Array.from({ length: 32 }, loop))
    process.send?.(answers / seconds)
  })
  process.send?.(0)
}
