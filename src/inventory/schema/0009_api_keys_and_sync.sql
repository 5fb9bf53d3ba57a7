create table inventory.api_keys (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  name text not null,
  hash bytea not null,
  key_prefix text not null,
  can_write boolean not null,
  -- The last day on which it works, where the tenant is.
  expires_on date,
  created_by bigint not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- Kept by the usage log, which is written in batches.
  last_used_at timestamptz(3),
  request_count bigint not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, created_by) references inventory.users (tenant_id, id)
) with (fillfactor = 70);
create unique index api_keys_hash_key on inventory.api_keys (hash);

create table inventory.api_usage (
  id bigint generated always as identity,
  tenant_id bigint not null,
  api_key_id bigint not null,
  method text not null,
  path text not null,
  status_code int not null,
  response_time_ms int not null,
  ip_address text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, api_key_id) references inventory.api_keys
);

-- Sets quantities on hand. `p_items`: {sku, warehouse_id, quantity, expected_quantity?}. What cannot be set is skipped
-- with the reason. A count below what is reserved turns the newest reservations into backorders.
create function inventory.sync_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_items jsonb)
returns table (updated bigint, skipped jsonb) language plpgsql as $$
declare
  rows jsonb;
  products bigint[];
  warehouses bigint[];
begin
  select array_agg(p.id), array_agg(w.id) into products, warehouses
  from jsonb_to_recordset(p_items) as i (sku text, warehouse_id bigint)
  join inventory.products p on p.tenant_id = p_tenant and p.sku = i.sku and p.deleted_at is null
    and p.tracking_type <> 'serial'
  join inventory.warehouses w on w.tenant_id = p_tenant and w.id = i.warehouse_id;
  if products is not null then perform inventory.lock_stock(p_tenant, products, warehouses); end if;

  select jsonb_agg(jsonb_build_object('sku', sku, 'warehouse_id', warehouse_id, 'product_id', product_id,
    'quantity', quantity, 'change', quantity - on_hand, 'short', greatest(0, reserved - quantity), 'reason', case
      when product_id is null then 'Unknown SKU'
      when tracking_type = 'serial' then 'Tracked by serial number'
      when warehouse is null then 'Unknown warehouse'
      when nth > 1 then 'Given more than once'
      when expected_quantity <> on_hand then format('Expected %s, but there are %s', expected_quantity, on_hand)
    end) order by position) into rows
  from (
    select i.*, p.id as product_id, p.tracking_type, w.id as warehouse, coalesce(s.quantity, 0) as on_hand,
      coalesce(s.reserved_quantity, 0) as reserved,
      row_number() over (partition by i.sku, i.warehouse_id order by i.position) as nth
    from rows from (jsonb_to_recordset(p_items)
        as (sku text, warehouse_id bigint, quantity bigint, expected_quantity bigint))
      with ordinality as i (sku, warehouse_id, quantity, expected_quantity, position)
    left join inventory.products p on p.tenant_id = p_tenant and p.sku = i.sku and p.deleted_at is null
    left join inventory.warehouses w on w.tenant_id = p_tenant and w.id = i.warehouse_id
    left join inventory.stock s on s.tenant_id = p_tenant and s.product_id = p.id and s.warehouse_id = w.id) i;

  with short as (
    select product_id, warehouse_id, short as units
    from jsonb_to_recordset(rows) as r (product_id bigint, warehouse_id bigint, short bigint, reason text)
    where reason is null and short > 0
  ), queue as (
    select i.id, least(i.quantity_reserved, f.units - sum(i.quantity_reserved)
      over (partition by i.product_id, i.warehouse_id order by i.id desc) + i.quantity_reserved) as units
    from inventory.order_items i join short f using (product_id, warehouse_id)
    where i.tenant_id = p_tenant and i.quantity_reserved > 0
  ), released as (
    update inventory.order_items i set quantity_reserved = i.quantity_reserved - q.units,
      quantity_backordered = i.quantity_backordered + q.units
    from queue q where i.tenant_id = p_tenant and i.id = q.id and q.units > 0
    returning i.product_id, i.warehouse_id, q.units
  )
  update inventory.stock s set reserved_quantity = s.reserved_quantity - r.units
  from (select product_id, warehouse_id, sum(units) as units from released group by 1, 2) r
  where s.tenant_id = p_tenant and s.product_id = r.product_id and s.warehouse_id = r.warehouse_id;

  if exists (select from jsonb_to_recordset(rows) as r (change bigint, reason text) where reason is null and change <> 0)
  then
    perform inventory.move_stock(p_tenant, p_user, p_now, (
      select jsonb_agg(jsonb_build_object('product_id', product_id, 'warehouse_id', warehouse_id, 'quantity', change,
        'type', 'sync'))
      from jsonb_to_recordset(rows) as r (product_id bigint, warehouse_id bigint, change bigint, reason text)
      where reason is null and change <> 0));
  end if;

  return query
    select count(*) filter (where r.reason is null),
      coalesce(jsonb_agg(jsonb_build_object('sku', r.sku, 'warehouse_id', r.warehouse_id, 'reason', r.reason))
        filter (where r.reason is not null), '[]')
    from jsonb_to_recordset(rows) as r (sku text, warehouse_id bigint, reason text);
end $$;
