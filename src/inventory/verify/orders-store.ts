import { type Check, ofTenant } from './checks-store.ts'

const lines: Check = (q, t) => q`
  select 'the quantities of an order line add up' as invariant, format('line %s of order %s', i.id, i.order_id) as subject,
    format('%s ordered by a %s order: %s reserved, %s waiting, %s fulfilled, %s returned', i.quantity, o.status,
      i.quantity_reserved, i.quantity_backordered, i.quantity_fulfilled, i.quantity_returned) as detail
  from inventory.order_items i join inventory.orders o on o.tenant_id = i.tenant_id and o.id = i.order_id
  where ${ofTenant(q, t, q`i.tenant_id`)} and (i.quantity_returned > i.quantity_fulfilled or case o.status
    when 'cancelled' then i.quantity_reserved + i.quantity_backordered <> 0 or i.quantity_returned <> i.quantity_fulfilled
    else i.quantity_reserved + i.quantity_backordered + i.quantity_fulfilled <> i.quantity
      or (o.status in ('fulfilled', 'shipped') and i.quantity_fulfilled <> i.quantity) end)`

const totals: Check = (q, t) => q`
  select 'the total of an order is the sum of its lines' as invariant, format('order %s', o.id) as subject,
    format('%s for %s lines, but %s lines come to %s', o.total_amount, o.item_count, i.lines, i.amount) as detail
  from inventory.orders o
  left join (select tenant_id, order_id, count(*) as lines, sum(inventory.line_amount(l, quantity)) as amount,
      sum(inventory.line_amount(l, quantity_returned)) as returned
    from inventory.order_items l where ${ofTenant(q, t)} group by 1, 2) i on i.tenant_id = o.tenant_id and i.order_id = o.id
  where ${ofTenant(q, t, q`o.tenant_id`)} and ((o.total_amount, o.item_count) is distinct from (i.amount, i.lines::int)
    or (o.status <> 'cancelled' and o.returned_amount <> i.returned))`

const numbers: Check = (q, t) => q`
  select 'order numbers have no gaps' as invariant, format('tenant %s', tenant_id) as subject,
    format('%s orders up to number %s, the last given is %s', count, max, last) as detail
  from (select tenant_id, count(*), max(number) from inventory.orders where ${ofTenant(q, t)} group by tenant_id) o
  full join (select tenant_id, last from inventory.numbers where kind = 'order' and ${ofTenant(q, t)}) n using (tenant_id)
  where count is distinct from max or max is distinct from last
  union all
  select 'purchase order numbers have no gaps', format('tenant %s', tenant_id),
    format('%s purchase orders up to number %s, the last given is %s', count, max, last)
  from (select tenant_id, count(*), max(number) from inventory.purchase_orders where ${ofTenant(q, t)} group by tenant_id) o
  full join (select tenant_id, last from inventory.numbers where kind = 'purchase_order' and ${ofTenant(q, t)}) n
    using (tenant_id)
  where count is distinct from max or max is distinct from last`

const customers: Check = (q, t) => q`
  select 'the totals of a customer are those of their orders' as invariant, format('customer %s', c.id) as subject,
    format('%s orders for %s, but there are %s for %s', c.total_orders, c.total_spent, coalesce(o.orders, 0),
      coalesce(o.spent, 0)) as detail
  from inventory.customers c
  left join (select tenant_id, customer_id, count(*) as orders, sum(total_amount - returned_amount) as spent
    from inventory.orders where status <> 'cancelled' and ${ofTenant(q, t)} group by 1, 2) o
    on o.tenant_id = c.tenant_id and o.customer_id = c.id
  where ${ofTenant(q, t, q`c.tenant_id`)} and (c.total_orders, c.total_spent) <> (coalesce(o.orders, 0), coalesce(o.spent, 0))`

const purchases: Check = (q, t) => q`
  select 'a purchase order is as far as its lines' as invariant, format('purchase order %s', o.id) as subject,
    format('%s for %s, but %s of %s units are received for %s', o.status, o.total_amount, i.received, i.units,
      i.amount) as detail
  from inventory.purchase_orders o join (
    select tenant_id, purchase_order_id, sum(quantity * unit_cost) as amount, sum(quantity) as units,
      sum(quantity_received) as received, bool_or(is_open) as is_open
    from inventory.purchase_order_items where ${ofTenant(q, t)} group by 1, 2) i
    on i.tenant_id = o.tenant_id and i.purchase_order_id = o.id
  where ${ofTenant(q, t, q`o.tenant_id`)} and (o.total_amount <> i.amount
    or i.is_open <> (o.status in ('draft', 'ordered', 'partial')) or case o.status
      when 'received' then i.received <> i.units when 'partial' then i.received in (0, i.units)
      when 'cancelled' then false else i.received <> 0 end)`

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
  where ${ofTenant(q, t)}`

/** What orders, purchase orders and customers must agree on. */
export const orderChecks: Check[] = [lines, totals, numbers, customers, purchases, references]
