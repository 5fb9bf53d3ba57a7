import { openSql } from '#test/support/sql.ts'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { type Company, loadCompany } from './company.ts'

const small = 1_000
const large = 100_000

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** What the screens of the console ask for. */
const screens: [name: string, path: (company: Company) => string][] = [
  ['products', () => '/products?limit=50'],
  ['products by name', () => '/products?limit=50&sort=name&page=2'],
  ['products, search by name', () => '/products?limit=50&search=lamp%20c81'],
  ['products, search by SKU', () => '/products?limit=50&search=SKU-00051'],
  ['stock', () => '/inventory?limit=50'],
  ['stock of a warehouse', ({ warehouse }) => `/inventory?limit=50&warehouse_id=${warehouse}`],
  ['stock, low', () => '/inventory?limit=50&low_stock=true'],
  ['Why?', ({ product, warehouse }) => `/inventory/${product}/${warehouse}/movements`],
  ['orders', () => '/orders?limit=50'],
  ['orders by status', () => '/orders?limit=50&status=paid'],
  ['orders, shipped', () => '/orders?limit=50&status=shipped'],
  ['orders to ship', () => '/orders?limit=50&to_ship=true'],
  ['orders of a month', () => `/orders?limit=50&from=${daysAgo(30)}`],
  ['orders of a channel', () => '/orders?limit=50&channel=b2b'],
  ['orders, search by number', () => '/orders?limit=50&search=ORD-000512'],
  ['orders, search by digits', () => '/orders?limit=50&search=51'],
  ['orders, search by customer', () => '/orders?limit=50&search=c81'],
  ['orders of a customer', ({ customer }) => `/orders?limit=50&customer_id=${customer}`],
  ['orders of a product', ({ product }) => `/orders?limit=50&product_id=${product}`],
  ['orders by status, counts', () => '/orders/counts'],
  ['backorders', () => '/orders/backorders?limit=50'],
  ['customers', () => '/customers?limit=50'],
  ['customers by name', () => '/customers?limit=50&sort=name'],
  ['customers, search', () => '/customers?limit=50&search=c81'],
  ['Today', () => '/reports/today'],
  ['report: financial, a year', () => `/reports/financial?from=${daysAgo(364)}`],
  ['report: sales by product', () => `/reports/cogs?from=${daysAgo(364)}&limit=50`],
  ['report: stock valuation', () => '/reports/inventory?limit=50'],
  ['report: valuation a month ago', () => `/reports/inventory?limit=50&as_of=${daysAgo(30)}`],
]

/** Every list, search and report of the console with 100,000 products and 300,000 orders, against 1,000 and 3,000. */
export const listsWorkloads = async function* ({ urls, database }: Trivet): AsyncGenerator<Result> {
  const api = `${urls.inventory}/api`
  const sql = await openSql(database)
  const few = await loadCompany(api, sql, small)
  const many = await loadCompany(api, sql, large)
  await sql.end()
  const rate = (company: Company, path: string) => async (seconds: number) =>
    (await load({ url: api + path, headers: company.headers, connections: 1, seconds })).perSecond
  for (const [name, path] of screens)
    yield await compare(
      {
        name,
        limit: 'with 1,000 products',
        bar: 1 / 1.5,
        subject: rate(many, path(many)),
        against: rate(few, path(few)),
      },
      3,
      0.7,
    )
}
