import type { Sql } from '#platform/db/database.ts'
import type { Finding } from '#platform/http/service.ts'

/** Each check is one statement, so that it sees one moment. `tenantId` null means all tenants. */
type Check = (q: Sql, tenantId: number | null) => ReturnType<Sql>

const of = (q: Sql, tenantId: number | null, column = q`tenant_id`) =>
  tenantId === null ? q`true` : q`${column} = ${tenantId}`

const ledger: Check = (q, t) => q`
  with summed as (
    select tenant_id, product_id, warehouse_id, sum(quantity) as quantity from inventory.movements
    where ${of(q, t)} group by 1, 2, 3
  ), wrong as (
    select tenant_id, product_id, warehouse_id, coalesce(s.quantity, 0) as stored, coalesce(m.quantity, 0) as summed
    from (select * from inventory.stock where ${of(q, t)}) s
    full join summed m using (tenant_id, product_id, warehouse_id)
    where coalesce(s.quantity, 0) <> coalesce(m.quantity, 0)
  )
  select 'the movements of a stock row add up to its quantity' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s on hand, but the movements add up to %s', stored, summed) as detail
  from wrong`

const balances: Check = (q, t) => q`
  select 'each movement leaves the balance it states' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('movement %s is the first that is wrong: it states %s, the movements up to it add up to %s',
      id, balance, running) as detail
  from (
    select distinct on (tenant_id, product_id, warehouse_id) * from (
      select *, sum(quantity) over (partition by tenant_id, product_id, warehouse_id order by id) as running
      from inventory.movements where ${of(q, t)}) m
    where running <> balance order by tenant_id, product_id, warehouse_id, id) first_wrong`

const reservations: Check = (q, t) => q`
  with held as (
    select tenant_id, product_id, warehouse_id, sum(units) as reserved from (
      select tenant_id, product_id, warehouse_id, quantity_reserved as units from inventory.order_items
      where quantity_reserved > 0 and ${of(q, t)}
      union all
      select tenant_id, product_id, warehouse_id, 1 from inventory.serials
      where status = 'reserved' and ${of(q, t)}) all_of_it
    group by 1, 2, 3
  )
  select 'what is reserved is what open orders and serials reserve' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s reserved, but orders and serials reserve %s', coalesce(s.reserved_quantity, 0), coalesce(h.reserved, 0)) as detail
  from (select * from inventory.stock where ${of(q, t)}) s full join held h using (tenant_id, product_id, warehouse_id)
  where coalesce(s.reserved_quantity, 0) <> coalesce(h.reserved, 0)`

const bounds: Check = (q, t) => q`
  select '0 ≤ reserved ≤ quantity' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s reserved of %s', reserved_quantity, quantity) as detail
  from inventory.stock where (reserved_quantity < 0 or reserved_quantity > quantity) and ${of(q, t)}`

const waiting: Check = (q, t) => q`
  select 'no order waits for stock that is free' as invariant,
    format('product %s in warehouse %s', s.product_id, s.warehouse_id) as subject,
    format('%s free while %s wait', s.quantity - s.reserved_quantity, sum(i.quantity_backordered)) as detail
  from inventory.order_items i
  join inventory.stock s using (tenant_id, product_id, warehouse_id)
  where i.quantity_backordered > 0 and s.quantity > s.reserved_quantity and ${of(q, t, q`i.tenant_id`)}
  group by s.tenant_id, s.product_id, s.warehouse_id`

const lines: Check = (q, t) => q`
  select 'the quantities of an order line add up' as invariant, format('line %s of order %s', i.id, i.order_id) as subject,
    format('%s ordered by a %s order: %s reserved, %s waiting, %s fulfilled, %s returned', i.quantity, o.status,
      i.quantity_reserved, i.quantity_backordered, i.quantity_fulfilled, i.quantity_returned) as detail
  from inventory.order_items i join inventory.orders o on o.tenant_id = i.tenant_id and o.id = i.order_id
  where ${of(q, t, q`i.tenant_id`)} and (i.quantity_returned > i.quantity_fulfilled or case o.status
    when 'cancelled' then i.quantity_reserved + i.quantity_backordered <> 0 or i.quantity_returned <> i.quantity_fulfilled
    else i.quantity_reserved + i.quantity_backordered + i.quantity_fulfilled <> i.quantity
      or (o.status in ('fulfilled', 'shipped') and i.quantity_fulfilled <> i.quantity) end)`

const totals: Check = (q, t) => q`
  select 'the total of an order is the sum of its lines' as invariant, format('order %s', o.id) as subject,
    format('%s for %s lines, but %s lines come to %s', o.total_amount, o.item_count, i.lines, i.amount) as detail
  from inventory.orders o
  left join (select tenant_id, order_id, count(*) as lines, sum(inventory.line_amount(l, quantity)) as amount,
      sum(inventory.line_amount(l, quantity_returned)) as returned
    from inventory.order_items l where ${of(q, t)} group by 1, 2) i on i.tenant_id = o.tenant_id and i.order_id = o.id
  where ${of(q, t, q`o.tenant_id`)} and ((o.total_amount, o.item_count) is distinct from (i.amount, i.lines::int)
    or (o.status <> 'cancelled' and o.returned_amount <> i.returned))`

const numbers: Check = (q, t) => q`
  select 'order numbers have no gaps' as invariant, format('tenant %s', tenant_id) as subject,
    format('%s orders up to number %s, the last given is %s', count, max, last) as detail
  from (select tenant_id, count(*), max(number) from inventory.orders where ${of(q, t)} group by tenant_id) o
  full join (select tenant_id, last from inventory.numbers where kind = 'order' and ${of(q, t)}) n using (tenant_id)
  where count is distinct from max or max is distinct from last
  union all
  select 'purchase order numbers have no gaps', format('tenant %s', tenant_id),
    format('%s purchase orders up to number %s, the last given is %s', count, max, last)
  from (select tenant_id, count(*), max(number) from inventory.purchase_orders where ${of(q, t)} group by tenant_id) o
  full join (select tenant_id, last from inventory.numbers where kind = 'purchase_order' and ${of(q, t)}) n
    using (tenant_id)
  where count is distinct from max or max is distinct from last`

const products: Check = (q, t) => q`
  select 'the total stock of a product is what its warehouses hold' as invariant, format('product %s', p.id) as subject,
    format('%s in total, %s in warehouses', p.total_stock, coalesce(s.quantity, 0)) as detail
  from inventory.products p
  left join (select tenant_id, product_id, sum(quantity) as quantity from inventory.stock
    where ${of(q, t)} group by 1, 2) s on s.tenant_id = p.tenant_id and s.product_id = p.id
  where ${of(q, t, q`p.tenant_id`)} and p.total_stock <> coalesce(s.quantity, 0)`

const lists: Check = (q, t) => q`
  with counted as (
    select tenant_id, 'products' as list, count(*) as total from inventory.products
    where deleted_at is null and ${of(q, t)} group by 1
    union all
    select tenant_id, 'active_products', count(*) from inventory.products
    where deleted_at is null and is_active and ${of(q, t)} group by 1
    union all
    select tenant_id, 'customers', count(*) from inventory.customers
    where deleted_at is null and ${of(q, t)} group by 1
  ), kept as (
    select tenant_id, list, sum(total) as total from inventory.list_sums where ${of(q, t)} group by 1, 2
  )
  select 'the total of a list is how many rows it has' as invariant,
    format('%s of tenant %s', list, tenant_id) as subject,
    format('%s counted, there are %s', coalesce(k.total, 0), coalesce(c.total, 0)) as detail
  from kept k full join counted c using (tenant_id, list) where coalesce(k.total, 0) <> coalesce(c.total, 0)
  union all
  select 'the total of a list is how many rows it has', format('requests of API key %s', k.id),
    format('%s counted, there are %s', k.logged_requests, coalesce(u.total, 0))
  from inventory.api_keys k
  left join (select tenant_id, api_key_id, count(*) as total from inventory.api_usage where ${of(q, t)} group by 1, 2) u
    on u.tenant_id = k.tenant_id and u.api_key_id = k.id
  where ${of(q, t, q`k.tenant_id`)} and k.logged_requests <> coalesce(u.total, 0)`

const sums: Check = (q, t) => q`
  select 'the sums of a warehouse are those of its stock' as invariant, format('warehouse %s', warehouse_id) as subject,
    format('kept: %s, counted: %s', k, c) as detail
  from (select warehouse_id, total_skus, total_quantity, total_value, low_stock, out_of_stock, movements
    from inventory.warehouse_sums where ${of(q, t)}) k
  full join (
    select warehouse_id, s.skus, s.units, s.value, s.low, s.gone, coalesce(m.movements, 0) as movements from (
      select warehouse_id, count(*) as skus, sum(quantity) as units, sum(round(quantity * p.average_cost, 2)) as value,
        count(*) filter (where quantity <= reorder_level) as low, count(*) filter (where quantity = 0) as gone
      from inventory.stock s join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
      where ${of(q, t, q`s.tenant_id`)} group by 1) s
    full join (select warehouse_id, count(*) as movements from inventory.movements where ${of(q, t)} group by 1) m
      using (warehouse_id)) c using (warehouse_id)
  where (coalesce(k.total_skus, 0), coalesce(k.total_quantity, 0), coalesce(k.total_value, 0),
      coalesce(k.low_stock, 0), coalesce(k.out_of_stock, 0), coalesce(k.movements, 0))
    <> (coalesce(c.skus, 0), coalesce(c.units, 0), coalesce(c.value, 0), coalesce(c.low, 0), coalesce(c.gone, 0),
      coalesce(c.movements, 0))`

const customers: Check = (q, t) => q`
  select 'the totals of a customer are those of their orders' as invariant, format('customer %s', c.id) as subject,
    format('%s orders for %s, but there are %s for %s', c.total_orders, c.total_spent, coalesce(o.orders, 0),
      coalesce(o.spent, 0)) as detail
  from inventory.customers c
  left join (select tenant_id, customer_id, count(*) as orders, sum(total_amount - returned_amount) as spent
    from inventory.orders where status <> 'cancelled' and ${of(q, t)} group by 1, 2) o
    on o.tenant_id = c.tenant_id and o.customer_id = c.id
  where ${of(q, t, q`c.tenant_id`)} and (c.total_orders, c.total_spent) <> (coalesce(o.orders, 0), coalesce(o.spent, 0))`

const batches: Check = (q, t) => q`
  with moved as (
    select tenant_id, batch_id, warehouse_id, sum(quantity) as quantity from inventory.movements
    where batch_id is not null and ${of(q, t)} group by 1, 2, 3
  )
  select 'the movements of a batch add up to its stock' as invariant,
    format('batch %s in warehouse %s', batch_id, warehouse_id) as subject,
    format('%s on hand, but the movements add up to %s', coalesce(s.quantity, 0), coalesce(m.quantity, 0)) as detail
  from (select * from inventory.batch_stock where ${of(q, t)}) s full join moved m using (tenant_id, batch_id, warehouse_id)
  where coalesce(s.quantity, 0) <> coalesce(m.quantity, 0)
  union all
  select 'batches hold no more than there is', format('product %s in warehouse %s', product_id, warehouse_id),
    format('%s in batches, %s on hand', b.quantity, coalesce(s.quantity, 0))
  from (select tenant_id, product_id, warehouse_id, sum(quantity) as quantity from inventory.batch_stock
    where ${of(q, t)} group by 1, 2, 3) b
  left join inventory.stock s using (tenant_id, product_id, warehouse_id)
  where b.quantity > coalesce(s.quantity, 0)`

const serials: Check = (q, t) => q`
  select 'each unit of a serial-tracked product has its serial' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s on hand, %s serials', coalesce(s.quantity, 0), coalesce(n.quantity, 0)) as detail
  from (select s.* from inventory.stock s join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
    where p.tracking_type = 'serial' and ${of(q, t, q`s.tenant_id`)}) s
  full join (select tenant_id, product_id, warehouse_id, count(*) as quantity from inventory.serials
    where status in ('in_stock', 'reserved') and ${of(q, t)} group by 1, 2, 3) n
    using (tenant_id, product_id, warehouse_id)
  where coalesce(s.quantity, 0) <> coalesce(n.quantity, 0)`

const purchases: Check = (q, t) => q`
  select 'a purchase order is as far as its lines' as invariant, format('purchase order %s', o.id) as subject,
    format('%s for %s, but %s of %s units are received for %s', o.status, o.total_amount, i.received, i.units,
      i.amount) as detail
  from inventory.purchase_orders o join (
    select tenant_id, purchase_order_id, sum(quantity * unit_cost) as amount, sum(quantity) as units,
      sum(quantity_received) as received, bool_or(is_open) as is_open
    from inventory.purchase_order_items where ${of(q, t)} group by 1, 2) i
    on i.tenant_id = o.tenant_id and i.purchase_order_id = o.id
  where ${of(q, t, q`o.tenant_id`)} and (o.total_amount <> i.amount
    or i.is_open <> (o.status in ('draft', 'ordered', 'partial')) or case o.status
      when 'received' then i.received <> i.units when 'partial' then i.received in (0, i.units)
      when 'cancelled' then false else i.received <> 0 end)`

const costs: Check = (q, t) => q`
  select 'the average cost of a product is that of its last movement' as invariant,
    format('product %s', p.id) as subject,
    format('%s, but the ledger says %s', p.average_cost, m.average_cost) as detail
  from inventory.products p join lateral (
    select average_cost from inventory.movements m where m.tenant_id = p.tenant_id and m.product_id = p.id
    order by m.created_at desc, m.id desc limit 1) m on true
  where ${of(q, t, q`p.tenant_id`)} and p.average_cost <> m.average_cost`

const sales: Check = (q, t) => q`
  with kept as (
    select tenant_id, day, sum(units) as units, sum(revenue) as revenue, sum(cogs) as cogs from (
      select tenant_id, day, units, revenue, cogs from inventory.sales_days where ${of(q, t)}
      union all select tenant_id, day, units, revenue, cogs from inventory.sales_changes where ${of(q, t)}) k
    group by 1, 2
  ), by_product as (
    select tenant_id, day, sum(units) as units, sum(revenue) as revenue, sum(cogs) as cogs from (
      select tenant_id, day, units, revenue, cogs from inventory.product_sales_days where ${of(q, t)}
      union all select tenant_id, day, units, revenue, cogs from inventory.sales_changes where ${of(q, t)}) k
    group by 1, 2
  ), counted as (
    select tenant_id, day, sum(units) as units, sum(revenue) as revenue, sum(cogs) as cogs
    from inventory.sales_in_ledger where ${of(q, t)} group by 1, 2
  )
  select 'the sales of a day are those in the ledger' as invariant,
    format('tenant %s on %s', tenant_id, day) as subject,
    format('kept: %s, by product: %s, counted: %s', k, p, c) as detail
  from kept k full join by_product p using (tenant_id, day) full join counted c using (tenant_id, day)
  where (k.units, k.revenue, k.cogs) is distinct from (c.units, c.revenue, c.cogs)
    or (p.units, p.revenue, p.cogs) is distinct from (c.units, c.revenue, c.cogs)`

const valuations: Check = (q, t) => q`
  with kept as (
    select tenant_id, day, sum(value) as value, sum(items) as items from (
      select * from inventory.valuation_days where ${of(q, t)}
      union all select * from inventory.valuation_changes where ${of(q, t)}) k
    group by 1, 2 having (sum(value), sum(items)) <> (0, 0)
  )
  select 'the valuation of a day is that of the ledger' as invariant,
    format('tenant %s on %s', tenant_id, day) as subject, format('kept: %s, counted: %s', k, c) as detail
  from kept k full join inventory.valuation_in_ledger(${t}) c using (tenant_id, day)
  where (k.value, k.items) is distinct from (c.value, c.items)`

/** If something is wrong everywhere, the first findings of a check say as much as all of them. */
export const findings = (q: Sql, check: Check, tenantId: number | null, most: number) => q<Finding[]>`
  select * from (${check(q, tenantId)}) found limit ${most}`

/** What is referred to without a foreign key: see 0003_customers_and_orders.sql. */
const references: Check = (q, t) => q`
  select 'whatever is referred to is there' as invariant, subject, detail from (
    select o.tenant_id, format('order %s', o.id) as subject,
      format('customer %s, warehouse %s, user %s', o.customer_id, o.warehouse_id, o.created_by) as detail
    from inventory.orders o
    left join inventory.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id
    left join inventory.warehouses w on w.tenant_id = o.tenant_id and w.id = o.warehouse_id
    left join inventory.users u on u.tenant_id = o.tenant_id and u.id = o.created_by
    where w.id is null or (c.id is null and o.customer_id is not null) or (u.id is null and o.created_by is not null)
    union all
    select i.tenant_id, format('line %s', i.id), format('order %s, product %s', i.order_id, i.product_id)
    from inventory.order_items i
    left join inventory.orders o on o.tenant_id = i.tenant_id and o.id = i.order_id
    left join inventory.products p on p.tenant_id = i.tenant_id and p.id = i.product_id
    where o.id is null or p.id is null
    union all
    select m.tenant_id, format('movement %s', m.id),
      format('product %s, warehouse %s, line %s, batch %s', m.product_id, m.warehouse_id, m.order_item_id, m.batch_id)
    from inventory.movements m
    left join inventory.products p on p.tenant_id = m.tenant_id and p.id = m.product_id
    left join inventory.warehouses w on w.tenant_id = m.tenant_id and w.id = m.warehouse_id
    left join inventory.order_items i on i.tenant_id = m.tenant_id and i.id = m.order_item_id
    left join inventory.batches b on b.tenant_id = m.tenant_id and b.id = m.batch_id
    where p.id is null or w.id is null or (i.id is null and m.order_item_id is not null)
      or (b.id is null and m.batch_id is not null)) lost
  where ${of(q, t)}`

export const checks: Check[] = [
  ledger, balances, reservations, bounds, waiting, lines, totals, numbers, products, lists, sums, customers, batches, serials,
  purchases, costs, sales, valuations, references,
] // biome-ignore format: one list
