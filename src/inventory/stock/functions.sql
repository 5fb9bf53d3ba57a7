-- Quantities on hand change in one place: a movement is added to the ledger, and its trigger changes the stock row.
--
-- Everything that changes stock takes its locks in one order: the order or purchase order, products, stock rows (both
-- ascending), order lines, the customer, and the next number last.

-- Applies a new movement to its stock row, and to the stock of its batch, and notes the balance it leaves.
create or replace function inventory.apply_movement() returns trigger language plpgsql as $$
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
create or replace trigger apply_movement before insert on inventory.movements
  for each row execute function inventory.apply_movement();

create or replace trigger movements_are_kept before update or delete or truncate on inventory.movements
  for each statement execute function inventory.refuse_change();

-- Refuses a quantity that no movement explains: stock starts and ends empty, and changes only by the trigger above.
create or replace function inventory.refuse_unexplained_quantity() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'stock.quantity changes by a movement only';
  end if;
  return new;
end $$;
create or replace trigger quantity_is_explained before update of quantity on inventory.stock
  for each row when (old.quantity <> new.quantity) execute function inventory.refuse_unexplained_quantity();
create or replace trigger stock_starts_empty before insert on inventory.stock
  for each row when (new.quantity <> 0 or new.reserved_quantity <> 0) execute function inventory.refuse_change();
create or replace trigger stock_ends_empty before delete on inventory.stock
  for each row when (old.quantity <> 0 or old.reserved_quantity <> 0) execute function inventory.refuse_change();

-- Locks products and then their stock rows, both ascending. A stock row that does not exist yet is created, so that
-- there is something to lock. A deleted product is accepted only while it has stock rows (see `reopen_deleted`).
create or replace function inventory.lock_stock(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language plpgsql as $$
declare
  held int;
begin
  perform from inventory.products p
    where p.tenant_id = p_tenant and p.id = any (p_products) and (p.deleted_at is null
      or exists (select from inventory.stock s where s.tenant_id = p_tenant and s.product_id = p.id))
    order by p.id for no key update;
  get diagnostics held = row_count;
  if held < (select count(distinct id) from unnest(p_products) id) then
    perform inventory.refuse('product_not_found');
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
    perform inventory.refuse('warehouse_not_found');
  end if;
end $$;

-- Moves stock: adds one movement for each entry of `p_changes` ({product_id, warehouse_id, quantity, type, unit_cost?,
-- order_item_id?, reference_id?, notes?}), or one for each batch that it touches (see `detail_changes` for batch_id,
-- serials and to_warehouse_id). Locks as `lock_stock` does.
--
-- Maintains the moving average cost, the sales and the valuation, and gives stock that has become free to the backorders
-- that wait for it.
create or replace function inventory.move_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_changes jsonb)
returns void language plpgsql as $$
declare
  products bigint[];
  warehouses bigint[];
  changes jsonb := p_changes;
  in_detail boolean;
  moment timestamptz;
  short record;
  worth_before record;
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
    perform inventory.refuse('not_enough_in_warehouse', to_jsonb(short));
  end if;

  select * into worth_before from inventory.worth_of(p_tenant, products);

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
    select p_tenant, inventory.sales_day(p_tenant, moment), m.product_id, m.warehouse_id, m.units,
      inventory.line_amount(i, m.units), m.cogs
    from (select order_item_id, product_id, warehouse_id, -sum(quantity)::bigint as units,
        -round(sum(quantity * unit_cost), 2) as cogs
      from moved where order_item_id is not null group by 1, 2, 3) m
    join inventory.order_items i on i.tenant_id = p_tenant and i.id = m.order_item_id
  )
  update inventory.products p set total_stock = p.total_stock + c.net, average_cost = c.average
  from (select product_id, sum(quantity) as net, max(average_cost) as average from moved group by product_id) c
  where p.tenant_id = p_tenant and p.id = c.product_id and (c.net <> 0 or c.average <> p.average_cost);

  insert into inventory.valuation_changes (tenant_id, day, value, items)
  select p_tenant, inventory.sales_day(p_tenant, moment), w.value - worth_before.value, w.items - worth_before.items
  from inventory.worth_of(p_tenant, products) w
  where (w.value, w.items) <> (worth_before.value, worth_before.items);

  if in_detail then perform inventory.move_serials(p_tenant, changes); end if;
  perform inventory.fill_backorders(p_tenant, products, warehouses);
end $$;

-- Gives free stock to the lines that wait for it, oldest first. The caller has locked the stock rows.
create or replace function inventory.fill_backorders(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language sql as $$
  with free as (
    select product_id, warehouse_id, quantity - reserved_quantity as units from inventory.stock
    where tenant_id = p_tenant and quantity > reserved_quantity
      and (product_id, warehouse_id) in (select * from unnest(p_products, p_warehouses))
  ), queue as (
    select i.id, i.quantity_backordered as wanted, f.units - sum(i.quantity_backordered)
      over (partition by i.product_id, i.warehouse_id order by i.id) + i.quantity_backordered as left_for_it
    from inventory.order_items i join free f using (product_id, warehouse_id)
    where i.tenant_id = p_tenant and i.quantity_backordered > 0
  ), filled as (
    update inventory.order_items i set
      quantity_reserved = i.quantity_reserved + least(q.wanted, q.left_for_it),
      quantity_backordered = i.quantity_backordered - least(q.wanted, q.left_for_it)
    from queue q where i.tenant_id = p_tenant and i.id = q.id and q.left_for_it > 0
    returning i.product_id, i.warehouse_id, least(q.wanted, q.left_for_it) as units
  )
  update inventory.stock s set reserved_quantity = s.reserved_quantity + f.units
  from (select product_id, warehouse_id, sum(units) as units from filled group by 1, 2) f
  where s.tenant_id = p_tenant and s.product_id = f.product_id and s.warehouse_id = f.warehouse_id
$$;

-- Goods can come back after their product has been deleted: the ledger records the return and writes the units off at
-- once, as the deletion did with all that was there. A deleted product has stock rows only within such a transaction.
--
-- Locks the products, and creates the stock rows that units of deleted products come back to.
create or replace function inventory.reopen_deleted(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language plpgsql as $$
begin
  perform from inventory.products
    where tenant_id = p_tenant and id = any (p_products) order by id for no key update;
  insert into inventory.stock (tenant_id, product_id, warehouse_id)
    select distinct p_tenant, k.product_id, k.warehouse_id
    from unnest(p_products, p_warehouses) k (product_id, warehouse_id)
    join inventory.products p on p.tenant_id = p_tenant and p.id = k.product_id
    where p.deleted_at is not null
    order by 2, 3;
end $$;

-- Writes off what came back of deleted products, and removes their stock rows again.
create or replace function inventory.write_off_deleted(p_tenant bigint, p_user bigint, p_now timestamptz, p_products bigint[])
returns void language plpgsql as $$
declare
  v_gone bigint[] := array(select id from inventory.products
    where tenant_id = p_tenant and id = any (p_products) and deleted_at is not null);
begin
  if v_gone = '{}' then return; end if;
  perform inventory.move_stock(p_tenant, p_user, p_now, (
    select jsonb_agg(jsonb_build_object('product_id', product_id, 'warehouse_id', warehouse_id, 'quantity', -quantity,
      'type', 'adjustment', 'notes', 'Product deleted'))
    from inventory.stock where tenant_id = p_tenant and product_id = any (v_gone)));
  delete from inventory.stock where tenant_id = p_tenant and product_id = any (v_gone);
end $$;

-- Sets quantities on hand. `p_items`: {sku, warehouse_id, quantity, expected_quantity?}. Locks as `lock_stock` does. A
-- count below what is reserved turns the newest reservations into backorders. Returns how many were set, and those that
-- could not be, each with a machine-readable reason.
create or replace function inventory.sync_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_items jsonb)
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
    'on_hand', on_hand, 'expected', expected_quantity, 'change', quantity - on_hand,
    'short', greatest(0, reserved - quantity), 'reason', case
      when product_id is null then 'unknown_sku'
      when tracking_type = 'serial' then 'tracked_by_serial'
      when warehouse is null then 'unknown_warehouse'
      when nth > 1 then 'given_more_than_once'
      when expected_quantity <> on_hand then 'unexpected_quantity'
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
      coalesce(jsonb_agg(jsonb_build_object('sku', r.sku, 'warehouse_id', r.warehouse_id, 'reason', r.reason,
        'on_hand', r.on_hand, 'expected', r.expected)) filter (where r.reason is not null), '[]')
    from jsonb_to_recordset(rows)
      as r (sku text, warehouse_id bigint, reason text, on_hand bigint, expected bigint);
end $$;
