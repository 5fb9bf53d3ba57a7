import pg from 'pg'
import { cpuPerWrite } from '../cpu.ts'
import { load, type Request } from '../load.ts'
import { compareCost, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { inventoryRequests } from '../writes/inventory.ts'
import { publishingRequests } from '../writes/publishing.ts'

/** What writing events costs where nobody reads them: the same requests while the database leaves the events out. */
export const unheardWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const database = new pg.Client(trivet.database)
  await database.connect()
  const send = (requests: Request[]) => (seconds: number) =>
    cpuPerWrite(trivet.pid, () =>
      load({ url: (requests[0] as Request).url, variants: requests, connections: 8, seconds }),
    )
  // A rule cannot leave out what a part of a larger statement inserts, so posts get a function without that part.
  const { rows } = await database.query(
    `select pg_get_functiondef('publishing.create_posts'::regproc) as text`,
  )
  const createPosts: string = rows[0].text
  const withEvents = (requests: Request[]) => async (seconds: number) => {
    await database.query(`drop rule if exists left_out on platform.events; ${createPosts}`)
    return send(requests)(seconds)
  }
  const withoutEvents = (requests: Request[]) => async (seconds: number) => {
    const silent = createPosts.replace(/, happened as \(.*?\n {4}\)/s, '')
    await database.query(
      `create or replace rule left_out as on insert to platform.events do instead nothing; ${silent}`,
    )
    return send(requests)(seconds)
  }
  try {
    const { ofAll, ofOne } = await publishingRequests(trivet)
    const { orders, adjust, set } = await inventoryRequests(trivet)
    for (const [name, requests] of Object.entries({
      'post, 8 accounts': ofAll,
      'post, one account': ofOne,
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
