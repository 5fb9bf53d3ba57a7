import type { Sql } from '#platform/db/database.ts'
import type { Suggestion } from './schema.ts'

type Place = { product_id: number; warehouse_id: number }
type Filter = {
  today: string
  warehouse_id?: number | null
  supplier_id?: number | null
  items?: readonly Place[] | null
}
export type Due = Omit<Suggestion, 'reason'> & { total: number }

const places = (q: Sql, items: readonly Place[]) => q`
  unnest(${items.map((item) => item.product_id)}::bigint[], ${items.map((item) => item.warehouse_id)}::bigint[])`

/**
 * A row is due when what is available is down to its reorder level, or to what goes out before a delivery can come.
 * The suggestion brings it a month of demand above that.
 */
export const listSuggestions = (
  q: Sql,
  tenantId: number,
  { today, ...f }: Filter,
  { limit, offset }: { limit: number; offset: number },
) => q<Due[]>`
  with demand as (
    select product_id, warehouse_id, greatest(0, sum(units))::bigint as units from (
      select product_id, warehouse_id, units from inventory.product_sales_days
      where tenant_id = ${tenantId} and day > ${today}::date - 30
      union all
      select product_id, warehouse_id, units from inventory.sales_changes
      where tenant_id = ${tenantId} and day > ${today}::date - 30) sold
    group by 1, 2
  ), waiting as (
    select product_id, warehouse_id, sum(quantity_backordered)::bigint as units from inventory.order_items
    where tenant_id = ${tenantId} and quantity_backordered > 0 group by 1, 2
  ), coming as (
    select i.product_id, o.warehouse_id, sum(i.quantity - i.quantity_received)::bigint as units
    from inventory.purchase_order_items i
    join inventory.purchase_orders o on o.tenant_id = i.tenant_id and o.id = i.purchase_order_id
    where i.tenant_id = ${tenantId} and i.is_open group by 1, 2
  ), rows as (
    select s.product_id, s.warehouse_id, s.quantity as on_hand, s.reserved_quantity as reserved, s.reorder_level,
      coalesce(w.units, 0) as backordered, coalesce(c.units, 0) as on_order, coalesce(d.units, 0) as recent_demand,
      s.quantity - s.reserved_quantity - coalesce(w.units, 0) + coalesce(c.units, 0) as available
    from inventory.stock s
    left join demand d using (product_id, warehouse_id)
    left join waiting w using (product_id, warehouse_id)
    left join coming c using (product_id, warehouse_id)
    where s.tenant_id = ${tenantId} and (s.reorder_level > 0 or d.units > 0 or w.units > 0)
      ${f.warehouse_id ? q`and s.warehouse_id = ${f.warehouse_id}` : q``}
      ${f.items ? q`and (s.product_id, s.warehouse_id) in (select * from ${places(q, f.items)})` : q``}
  ), timed as (
    select r.*, k.supplier_id, k.name as supplier_name, k.unit_cost, coalesce(k.lead_time_days, 7) as lead_time_days,
      ceil(r.recent_demand * coalesce(k.lead_time_days, 7) / 30.0)::bigint as lead_time_demand
    from rows r left join lateral (
      select k.supplier_id, x.name, k.unit_cost, x.lead_time_days from inventory.supplier_products k
      join inventory.suppliers x on x.tenant_id = k.tenant_id and x.id = k.supplier_id
      where k.tenant_id = ${tenantId} and k.product_id = r.product_id
      order by k.ordered_at desc, k.supplier_id desc limit 1) k on true
  ), due as (
    select *, greatest(reorder_level, lead_time_demand) + greatest(1, recent_demand) - available as suggested_quantity,
      count(*) over () as total
    from timed where available <= greatest(reorder_level, lead_time_demand)
      ${f.supplier_id ? q`and supplier_id = ${f.supplier_id}` : q``}
    order by product_id, warehouse_id limit ${limit} offset ${offset}
  )
  select d.product_id, p.sku, p.name as product_name, d.warehouse_id, w.name as warehouse_name, d.supplier_id,
    d.supplier_name, d.unit_cost, d.on_hand, d.reserved, d.backordered, d.on_order, d.available, d.reorder_level,
    d.recent_demand, d.lead_time_days, d.lead_time_demand, d.suggested_quantity, d.total
  from due d
  join inventory.products p on p.tenant_id = ${tenantId} and p.id = d.product_id
  join inventory.warehouses w on w.tenant_id = ${tenantId} and w.id = d.warehouse_id
  order by d.product_id, d.warehouse_id`

export const findSkus = (q: Sql, tenantId: number, ids: readonly number[]) => q<
  { id: number; sku: string }[]
>`
  select id, sku from inventory.products
  where tenant_id = ${tenantId} and deleted_at is null and id = any (${ids}::bigint[])`
