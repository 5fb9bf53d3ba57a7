import { type Check, ofTenant } from './checks-store.ts'

const ledger: Check = (q, t) => q`
  with summed as (
    select tenant_id, product_id, warehouse_id, sum(quantity) as quantity from inventory.movements
    where ${ofTenant(q, t)} group by 1, 2, 3
  ), wrong as (
    select tenant_id, product_id, warehouse_id, coalesce(s.quantity, 0) as stored, coalesce(m.quantity, 0) as summed
    from (select * from inventory.stock where ${ofTenant(q, t)}) s
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
      from inventory.movements where ${ofTenant(q, t)}) m
    where running <> balance order by tenant_id, product_id, warehouse_id, id) first_wrong`

const reservations: Check = (q, t) => q`
  with held as (
    select tenant_id, product_id, warehouse_id, sum(units) as reserved from (
      select tenant_id, product_id, warehouse_id, quantity_reserved as units from inventory.order_items
      where quantity_reserved > 0 and ${ofTenant(q, t)}
      union all
      select tenant_id, product_id, warehouse_id, 1 from inventory.serials
      where status = 'reserved' and ${ofTenant(q, t)}) all_of_it
    group by 1, 2, 3
  )
  select 'what is reserved is what open orders and serials reserve' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s reserved, but orders and serials reserve %s', coalesce(s.reserved_quantity, 0), coalesce(h.reserved, 0)) as detail
  from (select * from inventory.stock where ${ofTenant(q, t)}) s full join held h using (tenant_id, product_id, warehouse_id)
  where coalesce(s.reserved_quantity, 0) <> coalesce(h.reserved, 0)`

const bounds: Check = (q, t) => q`
  select '0 ≤ reserved ≤ quantity' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s reserved of %s', reserved_quantity, quantity) as detail
  from inventory.stock where (reserved_quantity < 0 or reserved_quantity > quantity) and ${ofTenant(q, t)}`

const waiting: Check = (q, t) => q`
  select 'no order waits for stock that is free' as invariant,
    format('product %s in warehouse %s', s.product_id, s.warehouse_id) as subject,
    format('%s free while %s wait', s.quantity - s.reserved_quantity, sum(i.quantity_backordered)) as detail
  from inventory.order_items i
  join inventory.stock s using (tenant_id, product_id, warehouse_id)
  where i.quantity_backordered > 0 and s.quantity > s.reserved_quantity and ${ofTenant(q, t, q`i.tenant_id`)}
  group by s.tenant_id, s.product_id, s.warehouse_id`

const products: Check = (q, t) => q`
  select 'the total stock of a product is what its warehouses hold' as invariant, format('product %s', p.id) as subject,
    format('%s in total, %s in warehouses', p.total_stock, coalesce(s.quantity, 0)) as detail
  from inventory.products p
  left join (select tenant_id, product_id, sum(quantity) as quantity from inventory.stock
    where ${ofTenant(q, t)} group by 1, 2) s on s.tenant_id = p.tenant_id and s.product_id = p.id
  where ${ofTenant(q, t, q`p.tenant_id`)} and p.total_stock <> coalesce(s.quantity, 0)`

const batches: Check = (q, t) => q`
  with moved as (
    select tenant_id, batch_id, warehouse_id, sum(quantity) as quantity from inventory.movements
    where batch_id is not null and ${ofTenant(q, t)} group by 1, 2, 3
  )
  select 'the movements of a batch add up to its stock' as invariant,
    format('batch %s in warehouse %s', batch_id, warehouse_id) as subject,
    format('%s on hand, but the movements add up to %s', coalesce(s.quantity, 0), coalesce(m.quantity, 0)) as detail
  from (select * from inventory.batch_stock where ${ofTenant(q, t)}) s full join moved m using (tenant_id, batch_id, warehouse_id)
  where coalesce(s.quantity, 0) <> coalesce(m.quantity, 0)
  union all
  select 'batches hold no more than there is', format('product %s in warehouse %s', product_id, warehouse_id),
    format('%s in batches, %s on hand', b.quantity, coalesce(s.quantity, 0))
  from (select tenant_id, product_id, warehouse_id, sum(quantity) as quantity from inventory.batch_stock
    where ${ofTenant(q, t)} group by 1, 2, 3) b
  left join inventory.stock s using (tenant_id, product_id, warehouse_id)
  where b.quantity > coalesce(s.quantity, 0)
  union all
  select 'a batch is on hand while a warehouse has some of it', format('batch %s', b.id),
    case when b.is_on_hand then 'nothing is left' else 'some is left' end
  from inventory.batches b where ${ofTenant(q, t, q`b.tenant_id`)} and b.is_on_hand <> exists (
    select from inventory.batch_stock s where s.tenant_id = b.tenant_id and s.batch_id = b.id and s.quantity > 0)`

const serials: Check = (q, t) => q`
  select 'each unit of a serial-tracked product has its serial' as invariant,
    format('product %s in warehouse %s', product_id, warehouse_id) as subject,
    format('%s on hand, %s serials', coalesce(s.quantity, 0), coalesce(n.quantity, 0)) as detail
  from (select s.* from inventory.stock s join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
    where p.tracking_type = 'serial' and ${ofTenant(q, t, q`s.tenant_id`)}) s
  full join (select tenant_id, product_id, warehouse_id, count(*) as quantity from inventory.serials
    where status in ('in_stock', 'reserved') and ${ofTenant(q, t)} group by 1, 2, 3) n
    using (tenant_id, product_id, warehouse_id)
  where coalesce(s.quantity, 0) <> coalesce(n.quantity, 0)
  union all
  select 'the life of a serial ends with what it is now', format('serial %s', s.id),
    format('%s in warehouse %s, but its life ends with %s in %s', s.status, s.warehouse_id, h.status, h.warehouse_id)
  from inventory.serials s left join lateral (
    select status, warehouse_id from inventory.serial_history h
    where h.tenant_id = s.tenant_id and h.serial_id = s.id order by h.id desc limit 1) h on true
  where ${ofTenant(q, t, q`s.tenant_id`)}
    and (h.status, h.warehouse_id) is distinct from (s.status, s.warehouse_id)`

const costs: Check = (q, t) => q`
  select 'the average cost of a product is that of its last movement' as invariant,
    format('product %s', p.id) as subject,
    format('%s, but the ledger says %s', p.average_cost, m.average_cost) as detail
  from inventory.products p join lateral (
    select average_cost from inventory.movements m where m.tenant_id = p.tenant_id and m.product_id = p.id
    order by m.created_at desc, m.id desc limit 1) m on true
  where ${ofTenant(q, t, q`p.tenant_id`)} and p.average_cost <> m.average_cost`

const counts: Check = (q, t) => q`
  select 'a posted count moved stock by its differences' as invariant, format('count %s', c.id) as subject,
    format('its differences add up to %s, its movements to %s', coalesce(l.units, 0), coalesce(m.units, 0)) as detail
  from inventory.counts c
  left join (select tenant_id, count_id, sum(difference) as units from inventory.count_lines
    where ${ofTenant(q, t)} group by 1, 2) l on l.tenant_id = c.tenant_id and l.count_id = c.id
  left join (select tenant_id, reference_id, notes, sum(quantity) as units from inventory.movements
    where movement_type = 'adjustment' and notes like 'Stock count %' and ${ofTenant(q, t)} group by 1, 2, 3) m
    on m.tenant_id = c.tenant_id and m.reference_id = c.id and m.notes = 'Stock count ' || inventory.count_number(c.number)
  where c.status = 'posted' and ${ofTenant(q, t, q`c.tenant_id`)} and coalesce(l.units, 0) <> coalesce(m.units, 0)`

/** What the ledger, stock, batches and serials must agree on. */
export const stockChecks: Check[] = [
  ledger,
  balances,
  reservations,
  bounds,
  waiting,
  products,
  batches,
  serials,
  costs,
  counts,
]
