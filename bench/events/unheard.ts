import pg from 'pg'
import { cpuPerWrite } from '../cpu.ts'
import { load, type Request } from '../load.ts'
import { compareCost, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { inventoryRequests } from '../writes/inventory.ts'

/** What writing events costs where nobody reads them: the same requests while the database leaves the events out. */
export const unheardWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const database = new pg.Client(trivet.database)
  await database.connect()
  const send = (requests: Request[]) => (seconds: number) =>
    cpuPerWrite(trivet.pid, () =>
      load({ url: (requests[0] as Request).url, variants: requests, connections: 8, seconds }),
    )
  const withEvents = (requests: Request[]) => async (seconds: number) => {
    await database.query('drop rule if exists left_out on platform.events')
    return send(requests)(seconds)
  }
  const withoutEvents = (requests: Request[]) => async (seconds: number) => {
    await database.query('create or replace rule left_out as on insert to platform.events do instead nothing')
    return send(requests)(seconds)
  }
  try {
    const { orders, adjust, set } = await inventoryRequests(trivet)
    for (const [name, requests] of Object.entries({
      'order of 3 lines': orders,
      'adjust stock': adjust,
      'set the stock of one item': set,
    }))
      yield await compareCost({
        name: `${name}, nobody reads its events`,
        limit: 'the same without events',
        bar: 1.1,
        subject: withEvents(requests),
        against: withoutEvents(requests),
      })
  } finally {
    await database.end()
  }
}
