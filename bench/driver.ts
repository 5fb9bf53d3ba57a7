import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'pg'
import type { Connection } from '#platform/db/dial.ts'
import type { Measure } from './measure.ts'

/**
 * How many of one query the driver alone can do, with nothing around it, in a process of its own. The sets of
 * parameters take turns.
 */
export const driverRate = async (
  database: Exclude<Connection, string>,
  query: string,
  ...parameters: unknown[][]
): Promise<{ measure: Measure; stop(): void }> => {
  const child = fork(new URL(import.meta.url), [
    'driver',
    JSON.stringify(database),
    query,
    JSON.stringify(parameters),
  ])
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
  const [, , , database, text, parameters] = process.argv as string[]
  const config = { ...JSON.parse(database as string), pipeline: true }
  const clients = Array.from({ length: 4 }, () => new Client(config))
  await Promise.all(clients.map((client) => client.connect()))
  const values = JSON.parse(parameters as string) as never[][]
  process.on('message', async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    let answers = 0
    let turn = 0
    const loop = async () => {
      while (performance.now() < end) {
        const client = clients[turn % clients.length] as Client
        const query = {
          name: 'query',
          text: text as string,
          values: values[turn++ % values.length] as never[],
        }
        const { rows } = await client.query(query)
        JSON.stringify(rows)
        answers++
      }
    }
    await Promise.all(Array.from({ length: 32 }, loop))
    process.send?.(answers / seconds)
  })
  process.send?.(0)
}
