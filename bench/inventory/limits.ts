/** The same work as plain statements, for the driver alone. */

export const listQuery = `
  with p as (
    select * from inventory.products where tenant_id = $1 and deleted_at is null order by ordinal desc limit 50)
  select p.id, p.name, p.sku, p.base_price, p.cost_price, p.compare_at_price, p.barcode, p.vendor, p.description,
    p.category_id, p.tracking_type, p.weight, p.taxable, p.requires_shipping, p.is_active, p.total_stock, p.created_at,
    (select json_agg(json_build_object('warehouse_id', s.warehouse_id, 'warehouse_name', w.name, 'quantity', s.quantity))
     from inventory.stock s join inventory.warehouses w on w.id = s.warehouse_id
     where s.tenant_id = p.tenant_id and s.product_id = p.id) as stock
  from p order by p.ordinal desc`

export const orderQuery = `
  select * from inventory.create_order($1::bigint, $2::bigint, now(), null, null, 'manual', null, $3::text::jsonb)`
