import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { cpuPerWrite } from '../cpu.ts'
import { driverRate } from '../driver.ts'
import { load, type Request } from '../load.ts'
import { compare, compareCost, type Measure, type Result } from '../measure.ts'
import { prepare, uploads } from '../storage/account.ts'
import { fileLoop, putQuery } from '../storage/limits.ts'
import type { Trivet } from '../system.ts'
import { inventoryRequests } from './inventory.ts'
import { publishingRequests } from './publishing.ts'

const small = 4 * 1024
const large = 1024 * 1024

/** Sends the requests in turn, `connections` at once. */
const send = (variants: Request[], connections: number, seconds: number) =>
  load({ url: (variants[0] as Request).url, variants, connections, seconds })

/** The CPU time of server and database per request. */
const cost =
  ({ pid }: Trivet, variants: Request[], connections: number) =>
  (seconds: number) =>
    cpuPerWrite(pid, () => send(variants, connections, seconds))

const rate =
  (variants: Request[], connections: number): Measure =>
  async (seconds) =>
    (await send(variants, connections, seconds)).perSecond

/** What changes data, measured against one order of three lines in the same run. */
export const writesWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const inventory = await inventoryRequests(trivet)
  const order = cost(trivet, inventory.orders, 8)
  const againstOrder = (name: string, variants: Request[], connections: number) =>
    compareCost({
      name, limit: 'one order of 3 lines', subject: cost(trivet, variants, connections), against: order,
    }) // biome-ignore format: one line

  yield await againstOrder('list of 50 products, just loaded', inventory.list, 8)
  const storage = await prepare(trivet, 'writes')
  const put = [uploads(storage.root, storage.headers, small)]
  yield await againstOrder('PUT 4 KiB, 16 at once', put, 16)
  yield await againstOrder('set the stock of one item with a key', inventory.set, 8)
  yield await againstOrder('adjust stock', inventory.adjust, 8)
  const posts = await publishingRequests(trivet)
  yield await againstOrder('post, 8 accounts', posts.ofAll, 8)
  yield await againstOrder('post, one account', posts.ofOne, 8)
  yield await againstOrder('list of 50 products, later', inventory.list, 8)

  yield await compare({
    name: 'PUT 4 KiB, 16 at once',
    limit: 'one at a time',
    subject: rate(put, 16),
    against: rate(put, 1),
  })
  const md5 = createHash('md5').update('u'.repeat(small)).digest('hex')
  const rows = await driverRate(trivet.database, putQuery, [
    storage.orgId,
    storage.bucketId,
    small,
    `\\x${md5}`,
  ])
  yield await compare({
    name: 'PUT 4 KiB, 16 at once',
    limit: 'its rows as one statement',
    subject: rate(put, 16),
    against: rows.measure,
  })
  rows.stop()
  const files = await fileLoop(join(trivet.dataDir, 'loop'), large, 8)
  yield await compare({
    name: 'PUT 1 MiB, 8 at once',
    limit: 'durable files by 8 writers',
    subject: rate([uploads(storage.root, storage.headers, large)], 8),
    against: files.measure,
  })
  files.stop()
}
