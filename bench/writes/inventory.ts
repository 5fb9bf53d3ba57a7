import type { Request } from '../load.ts'
import { call, type Trivet } from '../system.ts'

const products = 500
const stockOfEach = 1_000_000
const anyProduct = (n: number) => (n * 7919) % products

type Account = { token: string }
type Warehouses = { warehouses: { id: number }[] }

/** A company with 500 products, all in stock, and the requests that change it. Its tables have just been filled. */
export const inventoryRequests = async ({ urls: { inventory } }: Trivet) => {
  const base = `${inventory}/api`
  const account = (await call('POST', `${base}/auth/register`, {
    company_name: 'Writes', name: 'Writes', email: 'writes@example.com', password: 'bench-bench',
  })) as Account // biome-ignore format: one line
  const headers: Record<string, string> = { authorization: `Bearer ${account.token}` }
  const { warehouses } = (await call('GET', `${base}/warehouses`, undefined, headers)) as Warehouses
  const warehouse_id = warehouses[0]?.id as number
  const ids: number[] = []
  for (let n = 0; n < products; n++) {
    const product = { name: `Product ${n}`, sku: `W-${n}`, base_price: '10.00', cost_price: '5.00' }
    ids.push(((await call('POST', `${base}/products`, product, headers)) as { id: number }).id)
  }
  const key = (await call(
    'POST',
    `${base}/api-keys`,
    { name: 'bench', permissions: ['read', 'write'] },
    headers,
  )) as { key: string }
  const withKey = { 'x-api-key': key.key }
  const sync = `${base}/external/inventory/sync`
  const counted = ids.map((_, n) => ({ sku: `W-${n}`, warehouse_id, quantity: stockOfEach }))
  await call('POST', sync, counted, withKey)

  const requests = (count: number, make: (n: number) => Request) =>
    Array.from({ length: count }, (_, n) => make(n))
  const json = (url: string, body: object, who = headers): Request => ({
    url, method: 'POST', headers: who, body: JSON.stringify(body),
  }) // biome-ignore format: one line
  return {
    list: [{ url: `${base}/products?limit=50`, headers }],
    orders: requests(products, (n) =>
      json(`${base}/orders`, {
        items: [0, 1, 2].map((line) => ({
          product_id: ids[anyProduct(n * 3 + line)],
          quantity: 1,
          unit_price: '10.00',
        })),
      }),
    ),
    // The second half sets other quantities than the first, so that each request changes something.
    set: requests(2 * products, (n) =>
      json(
        sync,
        [{ sku: `W-${anyProduct(n)}`, warehouse_id, quantity: stockOfEach + (n < products ? 1 : 0) }],
        withKey,
      ),
    ),
    adjust: requests(products, (n) =>
      json(`${base}/inventory/adjust`, {
        product_id: ids[anyProduct(n)],
        warehouse_id,
        quantity: n % 2 === 0 ? 5 : -5,
      }),
    ),
  }
}
