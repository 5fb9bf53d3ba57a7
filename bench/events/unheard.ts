import pg from 'pg'
import { cpuPerWrite } from '../cpu.ts'
import { load, type Request } from '../load.ts'
import { compareCost, type Result } from '../measure.ts'
import { prepare, uploads } from '../storage/account.ts'
import type { Trivet } from '../system.ts'
import { inventoryRequests } from '../writes/inventory.ts'
import { publishingRequests } from '../writes/publishing.ts'
import { postsWithoutEvents } from './posts.ts'
import { uploadsWithoutEvents } from './uploads.ts'

type Switch = { on(): Promise<unknown>; off(): Promise<unknown> }

/** What writing events costs where nobody reads them: the same requests while the database leaves the events out. */
export const unheardWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const database = new pg.Client(trivet.database)
  await database.connect()
  const everywhere: Switch = {
    on: () => database.query('drop rule if exists left_out on platform.events'),
    off: () =>
      database.query('create or replace rule left_out as on insert to platform.events do instead nothing'),
  }
  const compareBoth = (name: string, requests: Request[], connections: number, { on, off }: Switch) => {
    const send = (before: () => Promise<unknown>) => async (seconds: number) => {
      await before()
      return cpuPerWrite(trivet.pid, () =>
        load({ url: (requests[0] as Request).url, variants: requests, connections, seconds }),
      )
    }
    return compareCost({
      name: `${name}, nobody reads its events`,
      limit: 'the same without events',
      subject: send(on),
      against: send(off),
    })
  }
  try {
    const { root, headers } = await prepare(trivet, 'unheard')
    const put = [uploads(root, headers, 4096)]
    yield await compareBoth('PUT 4 KiB', put, 16, await uploadsWithoutEvents(database))
    const { ofAll, ofOne } = await publishingRequests(trivet)
    const silentPosts = await postsWithoutEvents(database)
    for (const [name, posts] of Object.entries({ 'post, 8 accounts': ofAll, 'post, one account': ofOne }))
      yield await compareBoth(name, posts, 8, silentPosts)
    const { orders, adjust, set } = await inventoryRequests(trivet)
    for (const [name, requests] of Object.entries({
      'order of 3 lines': orders,
      'adjust stock': adjust,
      'set the stock of one item': set,
    }))
      yield await compareBoth(name, requests, 8, everywhere)
  } finally {
    await everywhere.on()
    await database.end()
  }
}
