import { openSql } from '#test/support/sql.ts'
import { driverRate } from '../driver.ts'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'
import { listQuery, orderQuery } from './limits.ts'
import { loadCatalogue } from './load.ts'

const anyOf = (count: number) => Math.floor(Math.random() * count)

type Account = { token: string; tenant: { id: number }; user: { id: number } }

/** 100,000 products, 5 warehouses, a million movements; every ratio is to the driver alone in the same run. */
export const inventoryWorkloads = async function* ({ urls, database }: Trivet): AsyncGenerator<Result> {
  const base = `${urls.inventory}/api`
  const account = (await call('POST', `${base}/auth/register`, {
    company_name: 'Bench', name: 'Bench', email: 'bench@example.com', password: 'bench-bench',
  })) as Account // biome-ignore format: one line
  const headers = { authorization: `Bearer ${account.token}` }
  const tenant = account.tenant.id
  const sql = await openSql(database)
  await loadCatalogue(sql, tenant, account.user.id)
  const [first] = await sql<{ id: number; warehouse: number }[]>`
    select min(id)::int as id,
    (select id::int from inventory.warehouses where is_default) as warehouse from inventory.products`
  await sql.end()

  const get = (path: string) => async (seconds: number) => {
    const { perSecond } = await load({ url: base + path, headers, seconds })
    return perSecond
  }

  const list = await driverRate(database, listQuery, [tenant])
  const page1 = get('/products?limit=50')
  yield await compare({
    name: 'GET /products (50 with stock)',
    limit: 'the query through the driver',
    subject: page1,
    against: list.measure,
  })
  list.stop()
  const against = (name: string, path: string) =>
    compare({ name, limit: 'GET /products, page 1', subject: get(path), against: page1 })
  yield await against('GET /products, page 1,000', '/products?limit=50&page=1000')
  yield await against('GET /products, search by SKU', '/products?limit=50&search=SKU-0512')
  yield await against('GET /products, search by name', '/products?limit=50&search=lamp%20c81')
  yield await against('GET /inventory/summary', '/inventory/summary')

  const one = get(`/products/${first?.id}`)
  const year = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)
  const report = (name: string, path: string) =>
    compare({ name, limit: 'GET /products/{id}', subject: get(path), against: one })
  yield await report('GET /reports/financial, a year by day', `/reports/financial?from=${year}`)
  yield await report('GET /reports/cogs, a year', `/reports/cogs?from=${year}&limit=50`)
  yield await report('GET /reports/inventory', '/reports/inventory?limit=50')
  const then = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  yield await report('GET /reports/inventory, a month ago', `/reports/inventory?limit=50&as_of=${then}`)
  yield await report('GET /reports/dashboard', '/reports/dashboard')

  const baskets = Array.from({ length: 500 }, () =>
    [0, 1, 2].map((n) => (first?.id ?? 0) + n * 33_000 + anyOf(33_000)),
  )
  const orders = await driverRate(
    database,
    orderQuery,
    ...baskets.map((basket) => [tenant, account.user.id, first?.warehouse, `{${basket}}`]),
  )
  const variants = baskets.map((basket) => ({
    body: JSON.stringify({
      items: basket.map((product_id) => ({ product_id, quantity: 1, unit_price: '10.00' })),
    }),
  }))
  yield await compare({
    name: 'POST /orders (3 lines)',
    limit: 'the least statement that does it',
    subject: async (seconds) => {
      const { perSecond } = await load({ url: `${base}/orders`, method: 'POST', headers, variants, seconds })
      return perSecond
    },
    against: orders.measure,
  })
  orders.stop()
}
