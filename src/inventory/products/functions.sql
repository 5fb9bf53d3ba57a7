-- Counts new products for the totals of the lists of products. Appends, and locks nothing.
create or replace function inventory.count_new_products() returns trigger language plpgsql as $$
begin
  insert into inventory.list_changes (tenant_id, list, change)
  select tenant_id, 'products', count(*) from added group by 1
  union all
  select tenant_id, 'active_products', count(*) from added where is_active group by 1;
  return null;
end $$;
create or replace trigger count_new_products after insert on inventory.products
  referencing new table as added for each statement execute function inventory.count_new_products();

-- The same for a product that is deleted, taken off sale or put back.
create or replace function inventory.count_changed_product() returns trigger language plpgsql as $$
begin
  insert into inventory.list_changes (tenant_id, list, change)
  select new.tenant_id, c.list, c.change
  from (values
    ('products', (new.deleted_at is null)::int - (old.deleted_at is null)::int),
    ('active_products', (new.deleted_at is null and new.is_active)::int - (old.deleted_at is null and old.is_active)::int)
  ) c (list, change)
  where c.change <> 0;
  return null;
end $$;
create or replace trigger count_changed_product after update of is_active, deleted_at on inventory.products
  for each row when (old.is_active <> new.is_active or old.deleted_at is distinct from new.deleted_at)
  execute function inventory.count_changed_product();

-- Writes down that something happened to products, with each as `GET /api/products/{id}` returns it now.
create or replace function inventory.add_product_events(p_tenant bigint, p_products bigint[], p_type text) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_tenant::text, p_type, 'product/' || p.id, json_build_object('id', p.id, 'name', p.name,
    'sku', p.sku, 'base_price', p.base_price::text, 'cost_price', p.cost_price::text,
    'compare_at_price', p.compare_at_price::text, 'barcode', p.barcode, 'vendor', p.vendor,
    'description', p.description, 'category_id', p.category_id, 'category_name', (select c.name
      from inventory.categories c where c.tenant_id = p_tenant and c.id = p.category_id),
    'tracking_type', p.tracking_type, 'weight', p.weight, 'taxable', p.taxable,
    'requires_shipping', p.requires_shipping, 'is_active', p.is_active, 'total_stock', p.total_stock,
    'images', coalesce((select json_agg(json_build_object('id', i.id, 'url', i.url, 'is_primary', i.is_primary)
        order by i.is_primary desc, i.id)
      from inventory.product_images i where i.tenant_id = p_tenant and i.product_id = p.id), '[]'),
    'stock', coalesce((select json_agg(json_build_object('warehouse_id', s.warehouse_id, 'warehouse_name', w.name,
        'quantity', s.quantity) order by s.warehouse_id)
      from inventory.stock s join inventory.warehouses w on w.id = s.warehouse_id
      where s.tenant_id = p_tenant and s.product_id = p.id), '[]'),
    'created_at', platform.iso_time(p.created_at), 'quantity_on_hand', p.total_stock, 'reserved', r.units,
    'available', p.total_stock - r.units, 'incoming', (select coalesce(sum(n.units), 0) from inventory.incoming n
      where n.tenant_id = p_tenant and n.product_id = p.id))
  from unnest(p_products) with ordinality k (id, position)
  cross join lateral (select * from inventory.products p where p.tenant_id = p_tenant and p.id = k.id offset 0) p
  cross join lateral (select coalesce(sum(s.reserved_quantity), 0) as units from inventory.stock s
    where s.tenant_id = p_tenant and s.product_id = p.id) r
  order by k.position;
end $$;

create or replace function inventory.add_created_products() returns trigger language plpgsql as $$
begin
  perform inventory.add_product_events(tenant_id, array_agg(id order by id), 'product.created')
  from added group by tenant_id;
  return null;
end $$;
create or replace trigger products_created after insert on inventory.products
  referencing new table as added for each statement execute function inventory.add_created_products();

-- Stock and its value have events of their own. A deletion is written down by whoever deletes, with what was there before.
create or replace function inventory.add_updated_product() returns trigger language plpgsql as $$
begin
  perform inventory.add_product_events(new.tenant_id, array[new.id], 'product.updated');
  return null;
end $$;
create or replace trigger product_updated after update of name, sku, base_price, cost_price, compare_at_price, barcode,
    vendor, description, category_id, tracking_type, weight, taxable, requires_shipping, is_active on inventory.products
  for each row when ((old.name, old.sku, old.base_price, old.cost_price, old.compare_at_price, old.barcode, old.vendor,
      old.description, old.category_id, old.tracking_type, old.weight, old.taxable, old.requires_shipping, old.is_active)
    is distinct from (new.name, new.sku, new.base_price, new.cost_price, new.compare_at_price, new.barcode, new.vendor,
      new.description, new.category_id, new.tracking_type, new.weight, new.taxable, new.requires_shipping, new.is_active))
  execute function inventory.add_updated_product();
