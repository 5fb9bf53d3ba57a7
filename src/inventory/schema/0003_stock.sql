create table inventory.stock (
  tenant_id bigint not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  quantity bigint not null default 0,
  reserved_quantity bigint not null default 0,
  reorder_level bigint not null default 0 check (reorder_level >= 0),
  primary key (tenant_id, product_id, warehouse_id),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id),
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  constraint stock_reserved_within_quantity check (0 <= reserved_quantity and reserved_quantity <= quantity)
) with (fillfactor = 70);
create index stock_by_warehouse on inventory.stock (tenant_id, warehouse_id, product_id);
create index stock_low on inventory.stock (tenant_id, product_id, warehouse_id) where quantity <= reorder_level;

-- The ledger. A row is added and never changed; adding it is what changes the quantity on hand.
create table inventory.movements (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  movement_type text not null check (movement_type in
    ('receive', 'adjustment', 'transfer_out', 'transfer_in', 'shipment', 'return', 'sync')),
  quantity bigint not null check (quantity <> 0),
  -- What was on hand afterwards: tells where a ledger went wrong, and what there was on a day.
  balance bigint not null,
  unit_cost numeric(20, 6) not null,
  -- The moving average of the product afterwards: what its stock was worth on a day.
  average_cost numeric(20, 6) not null,
  batch_id bigint,
  order_item_id bigint,
  reference_id bigint,
  notes text,
  created_by bigint,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id),
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  foreign key (tenant_id, created_by) references inventory.users (tenant_id, id)
);
create index movements_of_stock on inventory.movements (tenant_id, product_id, warehouse_id, created_at, id);
create index movements_of_product on inventory.movements (tenant_id, product_id, created_at, id);
create index movements_of_batch on inventory.movements (tenant_id, batch_id, id) where batch_id is not null;
create index movements_of_batched_line on inventory.movements (tenant_id, order_item_id) where batch_id is not null;
create index movements_by_time on inventory.movements (tenant_id, created_at, id);
create index movements_by_type on inventory.movements (tenant_id, movement_type, created_at, id);

create function inventory.apply_movement() returns trigger language plpgsql as $$
begin
  update inventory.stock set quantity = quantity + new.quantity
  where tenant_id = new.tenant_id and product_id = new.product_id and warehouse_id = new.warehouse_id
  returning quantity into new.balance;
  if new.batch_id is not null then
    insert into inventory.batch_stock (tenant_id, product_id, batch_id, warehouse_id, quantity)
    values (new.tenant_id, new.product_id, new.batch_id, new.warehouse_id, 0)
    on conflict (tenant_id, batch_id, warehouse_id) do nothing;
    update inventory.batch_stock set quantity = quantity + new.quantity
    where tenant_id = new.tenant_id and batch_id = new.batch_id and warehouse_id = new.warehouse_id;
  end if;
  return new;
end $$;
create trigger apply_movement before insert on inventory.movements
  for each row execute function inventory.apply_movement();

create function inventory.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on %.% is not allowed', tg_op, tg_table_schema, tg_table_name;
end $$;
create trigger movements_are_kept before update or delete or truncate on inventory.movements
  for each statement execute function inventory.refuse_change();

-- A quantity that no movement explains is refused: stock starts and ends empty, and changes by the ledger alone.
create function inventory.refuse_unexplained_quantity() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'stock.quantity changes by a movement only';
  end if;
  return new;
end $$;
create trigger quantity_is_explained before update of quantity on inventory.stock
  for each row when (old.quantity <> new.quantity) execute function inventory.refuse_unexplained_quantity();
create trigger stock_starts_empty before insert on inventory.stock
  for each row when (new.quantity <> 0 or new.reserved_quantity <> 0) execute function inventory.refuse_change();
create trigger stock_ends_empty before delete on inventory.stock
  for each row when (old.quantity <> 0 or old.reserved_quantity <> 0) execute function inventory.refuse_change();

-- Sums per warehouse. Changes are appended, never waited for, and folded into one row each minute:
-- a row that everybody updates would make every shipment of a warehouse stand in line.
create table inventory.warehouse_totals (
  tenant_id bigint not null,
  warehouse_id bigint not null,
  total_skus bigint not null,
  total_quantity bigint not null,
  total_value numeric not null,
  low_stock bigint not null,
  out_of_stock bigint not null,
  movements bigint not null,
  primary key (tenant_id, warehouse_id)
);
create table inventory.warehouse_changes (
  tenant_id bigint not null,
  warehouse_id bigint not null,
  total_skus bigint not null default 0,
  total_quantity bigint not null default 0,
  total_value numeric not null default 0,
  low_stock bigint not null default 0,
  out_of_stock bigint not null default 0,
  movements bigint not null default 0
);
create index warehouse_changes_by_tenant on inventory.warehouse_changes (tenant_id);

create view inventory.warehouse_sums as
  select tenant_id, warehouse_id, sum(total_skus)::bigint as total_skus,
    sum(total_quantity)::bigint as total_quantity, sum(total_value) as total_value,
    sum(low_stock)::bigint as low_stock, sum(out_of_stock)::bigint as out_of_stock,
    sum(movements)::bigint as movements
  from (select * from inventory.warehouse_totals union all select * from inventory.warehouse_changes) all_of_it
  group by tenant_id, warehouse_id;

create function inventory.fold_warehouse_changes() returns void language sql as $$
  with taken as (delete from inventory.warehouse_changes returning *)
  insert into inventory.warehouse_totals as t
  select tenant_id, warehouse_id, sum(total_skus), sum(total_quantity), sum(total_value), sum(low_stock),
    sum(out_of_stock), sum(movements)
  from taken group by tenant_id, warehouse_id order by tenant_id, warehouse_id
  on conflict (tenant_id, warehouse_id) do update set
    total_skus = t.total_skus + excluded.total_skus, total_quantity = t.total_quantity + excluded.total_quantity,
    total_value = t.total_value + excluded.total_value, low_stock = t.low_stock + excluded.low_stock,
    out_of_stock = t.out_of_stock + excluded.out_of_stock, movements = t.movements + excluded.movements
$$;

create function inventory.sum_stock_change() returns trigger language plpgsql as $$
declare
  cost numeric := (select average_cost from inventory.products
    where tenant_id = coalesce(new.tenant_id, old.tenant_id) and id = coalesce(new.product_id, old.product_id));
begin
  insert into inventory.warehouse_changes
    (tenant_id, warehouse_id, total_skus, total_quantity, total_value, low_stock, out_of_stock)
  select coalesce(new.tenant_id, old.tenant_id), coalesce(new.warehouse_id, old.warehouse_id),
    (new is not null)::int - (old is not null)::int,
    coalesce(new.quantity, 0) - coalesce(old.quantity, 0),
    round(coalesce(new.quantity, 0) * cost, 2) - round(coalesce(old.quantity, 0) * cost, 2),
    coalesce(new.quantity <= new.reorder_level, false)::int - coalesce(old.quantity <= old.reorder_level, false)::int,
    coalesce(new.quantity = 0, false)::int - coalesce(old.quantity = 0, false)::int;
  return null;
end $$;
create trigger sum_stock_row after insert or delete on inventory.stock
  for each row execute function inventory.sum_stock_change();
create trigger sum_stock_change after update of quantity, reorder_level on inventory.stock
  for each row when (old.quantity <> new.quantity or old.reorder_level <> new.reorder_level)
  execute function inventory.sum_stock_change();

create function inventory.sum_cost_change() returns trigger language plpgsql as $$
begin
  insert into inventory.warehouse_changes (tenant_id, warehouse_id, total_value)
  select tenant_id, warehouse_id, round(quantity * new.average_cost, 2) - round(quantity * old.average_cost, 2)
  from inventory.stock where tenant_id = new.tenant_id and product_id = new.id and quantity > 0;
  return null;
end $$;
create trigger sum_cost_change after update of average_cost on inventory.products
  for each row when (old.average_cost <> new.average_cost) execute function inventory.sum_cost_change();

-- Locks in the one order that everybody keeps: products, then their stock rows, both ascending.
-- A row that is not there yet is made, so that there is something to hold.
create function inventory.lock_stock(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language plpgsql as $$
declare
  held int;
begin
  perform from inventory.products
    where tenant_id = p_tenant and id = any (p_products) and deleted_at is null order by id for no key update;
  get diagnostics held = row_count;
  if held < (select count(distinct id) from unnest(p_products) id) then
    perform inventory.refuse(404, 'Product not found');
  end if;
  insert into inventory.stock (tenant_id, product_id, warehouse_id)
    select distinct p_tenant, k.product_id, k.warehouse_id
    from unnest(p_products, p_warehouses) k (product_id, warehouse_id)
    join inventory.warehouses w on w.tenant_id = p_tenant and w.id = k.warehouse_id
    where not exists (select from inventory.stock s
      where s.tenant_id = p_tenant and s.product_id = k.product_id and s.warehouse_id = k.warehouse_id)
    order by 2, 3
    on conflict do nothing;
  perform from inventory.stock s
    where s.tenant_id = p_tenant
      and (s.product_id, s.warehouse_id) in (select * from unnest(p_products, p_warehouses))
    order by s.product_id, s.warehouse_id for no key update;
  get diagnostics held = row_count;
  if held < (select count(*) from (select distinct * from unnest(p_products, p_warehouses)) k) then
    perform inventory.refuse(404, 'Warehouse not found');
  end if;
end $$;

-- Every change of a quantity on hand, and nothing else: one movement for each entry of `p_changes`
-- ({product_id, warehouse_id, quantity, type, unit_cost?, order_item_id?, reference_id?, notes?}), or one for each
-- batch that it touches (see detail_changes for batch_id, serials and to_warehouse_id).
-- Keeps the moving average cost and the sales, and hands what has become free to the backorders that wait for it.
create function inventory.move_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_changes jsonb)
returns void language plpgsql as $$
declare
  products bigint[];
  warehouses bigint[];
  changes jsonb := p_changes;
  in_detail boolean;
  moment timestamptz;
  short record;
begin
  select array_agg(k.product_id), array_agg(k.warehouse_id) into products, warehouses
  from jsonb_to_recordset(p_changes) as c (product_id bigint, warehouse_id bigint, to_warehouse_id bigint),
    lateral (values (c.product_id, c.warehouse_id), (c.product_id, c.to_warehouse_id)) k (product_id, warehouse_id)
  where k.warehouse_id is not null;
  perform inventory.lock_stock(p_tenant, products, warehouses);

  select bool_or(p.tracking_type <> 'none') or bool_or(c.to_warehouse_id is not null or c.batch_id is not null
      or c.serials is not null) into in_detail
  from jsonb_to_recordset(p_changes) as c (product_id bigint, to_warehouse_id bigint, batch_id bigint, serials jsonb)
  join inventory.products p on p.tenant_id = p_tenant and p.id = c.product_id;
  if in_detail then changes := inventory.detail_changes(p_tenant, p_now, p_changes); end if;

  select p.sku, w.name as warehouse, s.quantity - s.reserved_quantity as available into short
  from (select product_id, warehouse_id, sum(quantity) as net
        from jsonb_to_recordset(changes) as c (product_id bigint, warehouse_id bigint, quantity bigint)
        group by 1, 2) c
  join inventory.stock s on s.tenant_id = p_tenant and s.product_id = c.product_id and s.warehouse_id = c.warehouse_id
  join inventory.products p on p.tenant_id = p_tenant and p.id = c.product_id
  join inventory.warehouses w on w.tenant_id = p_tenant and w.id = c.warehouse_id
  where s.quantity + c.net < s.reserved_quantity
  order by s.product_id, s.warehouse_id limit 1;
  if found then
    perform inventory.refuse(400,
      format('Insufficient stock of %s in %s: %s available', short.sku, short.warehouse, short.available));
  end if;

  -- Time never runs backwards in the ledger of a product, whichever of two requests came to its lock first.
  select greatest(p_now, max(m.created_at)) into moment
  from unnest(products) as k (id), lateral (
    select created_at from inventory.movements where tenant_id = p_tenant and product_id = k.id
    order by created_at desc, id desc limit 1) m;

  with priced as (
    select c.*, p.total_stock, p.average_cost, case when c.quantity > 0 and c.type <> 'transfer_in'
      then coalesce(c.unit_cost, p.cost_price, 0) else p.average_cost end as cost
    from rows from (jsonb_to_recordset(changes) as (product_id bigint, warehouse_id bigint, quantity bigint, type text,
      unit_cost numeric, batch_id bigint, order_item_id bigint, reference_id bigint, notes text))
      with ordinality as c (product_id, warehouse_id, quantity, type, unit_cost, batch_id, order_item_id, reference_id,
        notes, position)
    join inventory.products p on p.tenant_id = p_tenant and p.id = c.product_id
  ), averaged as (
    select product_id, case
      when bool_or(quantity > 0 and type <> 'transfer_in') and total_stock + sum(quantity) > 0
      then round((total_stock * average_cost + sum(quantity * cost)) / (total_stock + sum(quantity)), 6)
      else average_cost end as average
    from priced group by product_id, total_stock, average_cost
  ), moved as (
    insert into inventory.movements (tenant_id, product_id, warehouse_id, movement_type, quantity, balance, unit_cost,
      average_cost, batch_id, order_item_id, reference_id, notes, created_by, created_at)
    select p_tenant, c.product_id, c.warehouse_id, c.type, c.quantity, 0, c.cost, a.average, c.batch_id,
      c.order_item_id, c.reference_id, c.notes, p_user, moment
    from priced c join averaged a using (product_id)
    order by c.product_id, c.warehouse_id, c.position
    returning product_id, warehouse_id, movement_type, quantity, unit_cost, average_cost, order_item_id
  ), counted as (
    insert into inventory.warehouse_changes (tenant_id, warehouse_id, movements)
    select p_tenant, warehouse_id, count(*) from moved group by warehouse_id
  ), sold as (
    insert into inventory.sales_changes (tenant_id, day, product_id, warehouse_id, units, revenue, cogs)
    select p_tenant, inventory.sales_day(p_tenant, moment), m.product_id, m.warehouse_id, -sum(m.quantity),
      -sum(m.quantity) * i.unit_price, -round(sum(m.quantity * m.unit_cost), 2)
    from moved m join inventory.order_items i on i.tenant_id = p_tenant and i.id = m.order_item_id
    group by i.id, m.product_id, m.warehouse_id, i.unit_price
  )
  update inventory.products p set total_stock = p.total_stock + c.net, average_cost = c.average
  from (select product_id, sum(quantity) as net, max(average_cost) as average from moved group by product_id) c
  where p.tenant_id = p_tenant and p.id = c.product_id and (c.net <> 0 or c.average <> p.average_cost);

  if in_detail then perform inventory.move_serials(p_tenant, changes); end if;
  perform inventory.fill_backorders(p_tenant, products, warehouses);
end $$;
