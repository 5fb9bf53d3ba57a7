import { load, type Request } from '../load.ts'
import { median, type Result } from '../measure.ts'
import { prepare, uploads } from '../storage/account.ts'
import type { Trivet } from '../system.ts'
import { inventoryRequests } from '../writes/inventory.ts'
import { publishingRequests } from '../writes/publishing.ts'
import { figuresOf, type Measured } from './figures.ts'

const rounds = 5
const seconds = 3
const connections = 8

const rateOf = async (variants: Request[]) => {
  const send = async () =>
    (await load({ url: (variants[0] as Request).url, variants, connections, seconds })).perSecond
  await send()
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) rates.push(await send())
  return median(rates)
}

/**
 * What other servers do, too. Their figures are not measured here: they are the best that was recorded of each when it ran
 * on the same machine; see `figures.ts`.
 */
export const peersWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const inventory = await inventoryRequests(trivet)
  const posts = await publishingRequests(trivet)
  const { root, headers } = await prepare(trivet, 'peers')
  const measured: [Measured, Request[]][] = [
    ['order of 3 lines', inventory.orders],
    ['set the stock of one item', inventory.set],
    ['post, 8 accounts', posts.ofAll],
    ['PUT 4 KiB', [uploads(root, headers, 4096)]],
  ]
  for (const [name, variants] of measured) {
    const rate = await rateOf(variants)
    for (const { product, most } of figuresOf(name))
      yield {
        name: `${name}, ${connections} at once`,
        limit: product,
        ratio: rate / most,
        rate,
        limitRate: most,
      }
  }
}
