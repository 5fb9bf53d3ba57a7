import type { OpenSql } from '#test/support/sql.ts'
import { call } from '../system.ts'
import { loadCatalogue, withoutSearchIndexes } from './load.ts'

type Account = { tenant: { id: number }; user: { id: number } }

/** Of all orders the last few are open, as in a shop that ships every day. */
const mostOpen = 600

/** Three orders of three lines for each product, by a customer for every ten orders, over a year. */
const loadOrders = async (q: OpenSql, tenantId: number, userId: number, orders: number) => {
  const customers = orders / 10
  const firstOpen = orders - Math.min(orders / 50, mostOpen)
  await q.unsafe(`
    set session_replication_role = replica;
    insert into inventory.customers (tenant_id, name, email, company, customer_type, total_orders, total_spent, created_at)
      select ${tenantId}, (array['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald'])[1 + n % 5] || ' ' || md5(n::text),
        'c' || n || '@example.com', 'Company ' || n % 500, 'retail', 10, 300, now() from generate_series(1, ${customers}) n;
    insert into inventory.list_totals values (${tenantId}, 'customers', ${customers});
    insert into inventory.orders (tenant_id, number, customer_id, warehouse_id, status, channel, total_amount, item_count,
        unit_count, created_by, created_at)
      select ${tenantId}, n, c.first + n % ${customers}, w.id,
        case when n > ${firstOpen} then (array['pending', 'paid', 'fulfilling'])[1 + n % 3]
          when n % 50 = 0 then 'cancelled' else 'shipped' end,
        (array['manual', 'api', 'pos', 'b2b'])[1 + n % 4], 30, 3, 3, ${userId},
        now() - (${orders} - n) * interval '1 year' / ${orders}
      from generate_series(1, ${orders}) n,
        (select min(id) as first from inventory.customers where tenant_id = ${tenantId}) c,
        (select min(id) as id from inventory.warehouses where tenant_id = ${tenantId}) w;
    insert into inventory.order_items (tenant_id, order_id, product_id, warehouse_id, sku, product_name, quantity,
        unit_price, quantity_reserved, quantity_backordered, quantity_fulfilled)
      with p as materialized
        (select min(id) as first, count(*) as products from inventory.products where tenant_id = ${tenantId})
      select o.tenant_id, o.id, p.first + (o.number * 7919 + line * 104729) % p.products, o.warehouse_id, 'SKU', 'Product',
        1, 10, case when o.number > ${firstOpen} and line < 3 then 1 else 0 end,
        case when o.number > ${firstOpen} and line = 3 then 1 else 0 end,
        case when o.status = 'shipped' then 1 else 0 end
      from p, inventory.orders o cross join generate_series(1, 3) line
      where o.tenant_id = ${tenantId};
    insert into inventory.numbers values (${tenantId}, 'order', ${orders})
      on conflict (tenant_id, kind) do update set last = excluded.last;
    set session_replication_role = default`)
  await q.unsafe('vacuum analyze inventory.customers, inventory.orders, inventory.order_items')
}

/** A company with so many products and three times as many orders. */
export const loadCompany = async (api: string, q: OpenSql, products: number) => {
  const signIn = { email: `of-${products}@example.com`, password: 'bench-bench' }
  const account = { company_name: `Of ${products}`, name: 'Bench', ...signIn }
  const { tenant, user } = (await call('POST', `${api}/auth/register`, account)) as Account
  await withoutSearchIndexes(q, async () => {
    await loadCatalogue(q, tenant.id, user.id, products)
    await loadOrders(q, tenant.id, user.id, 3 * products)
  })
  const [ids] = await q<{ product: number; customer: number; warehouse: number }[]>`
    select (select min(id) from inventory.products where tenant_id = ${tenant.id})::int as product,
      (select min(id) from inventory.customers where tenant_id = ${tenant.id})::int as customer,
      (select min(id) from inventory.warehouses where tenant_id = ${tenant.id})::int as warehouse`
  return { ...signIn, ...(ids as NonNullable<typeof ids>) }
}

export type Company = Awaited<ReturnType<typeof loadCompany>>
