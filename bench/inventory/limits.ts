/** The same work as plain statements, for the driver alone. */

export const listQuery = `
  with p as (
    select * from inventory.products where tenant_id = $1 and deleted_at is null order by id desc limit 50)
  select p.id, p.name, p.sku, p.base_price, p.cost_price, p.compare_at_price, p.barcode, p.vendor, p.description,
    p.category_id, p.tracking_type, p.weight, p.taxable, p.requires_shipping, p.is_active, p.total_stock, p.created_at,
    (select json_agg(json_build_object('warehouse_id', s.warehouse_id, 'warehouse_name', w.name, 'quantity', s.quantity))
     from inventory.stock s join inventory.warehouses w on w.id = s.warehouse_id
     where s.tenant_id = p.tenant_id and s.product_id = p.id) as stock
  from p order by p.id desc`

/** An order of three lines that are all in stock, and not one thing more: no checks, no refusals, no backorders. */
export const orderQuery = `
  with numbered as (
    update inventory.numbers set last = last + 1 where tenant_id = $1::bigint and kind = 'order' returning last
  ), placed as (
    insert into inventory.orders (tenant_id, number, warehouse_id, status, channel, total_amount, item_count,
      unit_count, created_by, created_at)
    select $1::bigint, last, $3::bigint, 'pending', 'manual', 30, 3, 3, $2::bigint, now() from numbered
    returning id, number, total_amount
  ), reserved as (
    update inventory.stock set reserved_quantity = reserved_quantity + 1
    where tenant_id = $1::bigint and warehouse_id = $3::bigint and product_id = any ($4::text::bigint[])
    returning product_id
  ), lines as (
    insert into inventory.order_items (tenant_id, order_id, product_id, warehouse_id, sku, product_name, quantity,
      unit_price, quantity_reserved, quantity_backordered)
    select $1::bigint, placed.id, p.id, $3::bigint, p.sku, p.name, 1, 10, 1, 0
    from placed, reserved r join inventory.products p on p.tenant_id = $1::bigint and p.id = r.product_id
  )
  select * from placed`
