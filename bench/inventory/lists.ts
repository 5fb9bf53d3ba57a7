import { openSql } from '#test/support/sql.ts'
import { openBrowser, openingRate, signedIn } from '../browser.ts'
import { compare, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { type Company, loadCompany } from './company.ts'

const small = 1_000
const large = 100_000

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The screens of the console that list, search or add up. */
const screens: [name: string, path: (company: Company) => string][] = [
  ['Today', () => '/today'],
  ['Products', () => '/products'],
  ['Products by name, second page', () => '/products?sort=name&page=2'],
  ['Products, search by name', () => '/products?search=lamp%20c81'],
  ['Products, search by SKU', () => '/products?search=SKU-00051'],
  ['Stock', () => '/stock'],
  ['Stock of a warehouse', ({ warehouse }) => `/stock?warehouse=${warehouse}`],
  ['Stock, low', () => '/stock?state=low'],
  ['Orders', () => '/orders'],
  ['Orders, paid', () => '/orders?status=paid'],
  ['Orders, shipped', () => '/orders?status=shipped'],
  ['Orders to ship', () => '/orders?to_ship=true'],
  ['Orders of a month', () => `/orders?from=${daysAgo(30)}`],
  ['Orders of a channel', () => '/orders?channel=b2b'],
  ['Orders, search by number', () => '/orders?search=ORD-000512'],
  ['Orders, search by digits', () => '/orders?search=51'],
  ['Orders, search by customer', () => '/orders?search=c81'],
  ['Backorders', () => '/orders/backorders'],
  ['Orders of a customer', ({ customer }) => `/customers/${customer}`],
  ['Orders of a product', ({ product }) => `/products/${product}/orders`],
  ['Customers', () => '/customers'],
  ['Customers by name', () => '/customers?sort=name'],
  ['Customers, search', () => '/customers?search=c81'],
  ['Report: financial', () => '/reports'],
  ['Report: sales by product', () => '/reports/sales-by-product'],
  ['Report: stock valuation', () => '/reports/stock-valuation'],
]

/**
 * Every list, search and report of the console in Chromium, for a company with 100,000 products and 300,000 orders against
 * one with 1,000 and 3,000.
 */
export const listsWorkloads = async function* ({ urls, database }: Trivet): AsyncGenerator<Result> {
  const sql = await openSql(database)
  const companies = [
    await loadCompany(`${urls.inventory}/api`, sql, large),
    await loadCompany(`${urls.inventory}/api`, sql, small),
  ] as const
  await sql.end()
  const browser = await openBrowser()
  try {
    const root = `${urls.inventory}/console`
    const [many, few] = [
      await signedIn(browser, root, companies[0]),
      await signedIn(browser, root, companies[1]),
    ]
    for (const [name, path] of screens)
      yield await compare(
        {
          name,
          limit: 'with 1,000 products',
          subject: openingRate(many, root, path(companies[0])),
          against: openingRate(few, root, path(companies[1])),
        },
        3,
        0.6,
      )
  } finally {
    await browser.close()
  }
}
