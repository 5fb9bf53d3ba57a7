-- Quantities on hand change in one place: a movement is added to the ledger, and its trigger changes the stock row.
--
-- Everything that changes stock takes its locks in one order: the order or purchase order, products, stock rows (both
-- ascending), order lines, the customer, and the next number last.

-- What the quantity on hand means for whoever orders more.
create or replace function inventory.stock_state(p_quantity bigint, p_level bigint) returns text language sql immutable as $$
  select case when p_quantity = 0 then 'stock.out' when p_quantity <= p_level then 'stock.low' else 'stock.recovered' end
$$;

-- Writes down that stock became out, low or fine. The caller has locked its row.
create or replace function inventory.add_stock_event(p_type text, p_stock inventory.stock) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_stock.tenant_id::text, p_type, 'product/' || p_stock.product_id,
    json_build_object('product_id', p.id, 'sku', p.sku, 'warehouse_id', w.id, 'warehouse_name', w.name,
      'quantity', p_stock.quantity, 'reserved_quantity', p_stock.reserved_quantity,
      'reorder_level', p_stock.reorder_level)
  from inventory.products p, inventory.warehouses w
  where p.tenant_id = p_stock.tenant_id and p.id = p_stock.product_id
    and w.tenant_id = p_stock.tenant_id and w.id = p_stock.warehouse_id;
end $$;

-- Applies a new movement to its stock row, and to the stock of its batch, notes the balance it leaves, and writes down that
-- it happened.
create or replace function inventory.apply_movement() returns trigger language plpgsql as $$
declare
  v_stock inventory.stock;
  v_state text;
  v_units bigint;
begin
  update inventory.stock set quantity = quantity + new.quantity
  where tenant_id = new.tenant_id and product_id = new.product_id and warehouse_id = new.warehouse_id
  returning * into v_stock;
  new.balance := v_stock.quantity;
  if new.batch_id is not null then
    insert into inventory.batch_stock (tenant_id, product_id, batch_id, warehouse_id, quantity)
    values (new.tenant_id, new.product_id, new.batch_id, new.warehouse_id, 0)
    on conflict (tenant_id, batch_id, warehouse_id) do nothing;
    update inventory.batch_stock set quantity = quantity + new.quantity
    where tenant_id = new.tenant_id and batch_id = new.batch_id and warehouse_id = new.warehouse_id
    returning quantity into v_units;
    if v_units = 0 or v_units = new.quantity then
      update inventory.batches b set is_on_hand = not b.is_on_hand
      where b.tenant_id = new.tenant_id and b.id = new.batch_id and b.is_on_hand <> exists (
        select from inventory.batch_stock s where s.tenant_id = b.tenant_id and s.batch_id = b.id and s.quantity > 0);
    end if;
  end if;

  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', new.tenant_id::text, 'stock.changed', 'product/' || new.product_id,
    json_build_object('product_id', new.product_id, 'sku', p.sku, 'warehouse_id', new.warehouse_id,
      'warehouse_name', w.name, 'quantity', v_stock.quantity, 'reserved_quantity', v_stock.reserved_quantity,
      'reorder_level', v_stock.reorder_level, 'movement', json_build_object('id', new.id,
        'product_id', new.product_id, 'sku', p.sku, 'movement_type', new.movement_type, 'quantity', new.quantity,
        'warehouse_id', new.warehouse_id, 'warehouse_name', w.name, 'reference_id', new.reference_id,
        'notes', new.notes, 'created_by_name', (select u.name from inventory.users u where u.id = new.created_by),
        'created_at', platform.iso_time(new.created_at)))
  from inventory.products p, inventory.warehouses w
  where p.tenant_id = new.tenant_id and p.id = new.product_id and w.tenant_id = new.tenant_id and w.id = new.warehouse_id;
  v_state := inventory.stock_state(v_stock.quantity, v_stock.reorder_level);
  if v_state <> inventory.stock_state(v_stock.quantity - new.quantity, v_stock.reorder_level) then
    perform inventory.add_stock_event(v_state, v_stock);
  end if;
  return new;
end $$;
create or replace trigger apply_movement before insert on inventory.movements
  for each row execute function inventory.apply_movement();

-- A new reorder level can make stock low, or fine again, without a movement.
create or replace function inventory.apply_reorder_level() returns trigger language plpgsql as $$
begin
  perform inventory.add_stock_event(inventory.stock_state(new.quantity, new.reorder_level), new);
  return null;
end $$;
create or replace trigger apply_reorder_level after update of reorder_level on inventory.stock
  for each row when (inventory.stock_state(old.quantity, old.reorder_level)
    <> inventory.stock_state(new.quantity, new.reorder_level))
  execute function inventory.apply_reorder_level();

create or replace trigger movements_are_kept before update or delete or truncate on inventory.movements
  for each statement execute function inventory.refuse_change();

-- Refuses a quantity that no movement explains: stock starts and ends empty, and changes only by the trigger above.
create or replace trigger quantity_is_explained before update of quantity on inventory.stock
  for each row when (old.quantity <> new.quantity and pg_trigger_depth() = 0) execute function inventory.refuse_change();
create or replace trigger stock_starts_empty before insert on inventory.stock
  for each row when (new.quantity <> 0 or new.reserved_quantity <> 0) execute function inventory.refuse_change();
create or replace trigger stock_ends_empty before delete on inventory.stock
  for each row when (old.quantity <> 0 or old.reserved_quantity <> 0) execute function inventory.refuse_change();

-- The functions below find every row by its whole key, also with a plan that was made while the tables were empty: sets
-- are driven by their arrays (`cross join lateral`), and the tenant of a row comes from the set that is joined to it.
-- Otherwise a plan that took the tenant's rows first, because there were none, would read all of them ever after.

-- Locks products and then their stock rows, both ascending. A stock row that does not exist yet is created, so that
-- there is something to lock. A deleted product is accepted only while it has stock rows (see `reopen_deleted`).
create or replace function inventory.lock_stock(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language plpgsql as $$
declare
  held int;
begin
  perform from (select id from unnest(p_products) id order by id) k cross join lateral (
    select from inventory.products p where p.tenant_id = p_tenant and p.id = k.id and (p.deleted_at is null
      or exists (select from inventory.stock s where s.tenant_id = p_tenant and s.product_id = p.id))
    for no key update) p;
  get diagnostics held = row_count;
  if held < cardinality(p_products) then perform platform.refuse('product_not_found'); end if;
  for attempt in 1 .. 2 loop
    perform from (select * from unnest(p_products, p_warehouses) k (product_id, warehouse_id) order by 1, 2) k
      cross join lateral (select from inventory.stock s
        where s.tenant_id = p_tenant and s.product_id = k.product_id and s.warehouse_id = k.warehouse_id
        for no key update) s;
    get diagnostics held = row_count;
    if held = cardinality(p_products) then return; end if;
    insert into inventory.stock (tenant_id, product_id, warehouse_id)
      select distinct p_tenant, k.product_id, w.id
      from unnest(p_products, p_warehouses) k (product_id, warehouse_id)
      cross join lateral (select w.id from inventory.warehouses w
        where w.tenant_id = p_tenant and w.id = k.warehouse_id offset 0) w
      order by 2, 3
      on conflict do nothing;
  end loop;
  perform platform.refuse('warehouse_not_found');
end $$;

-- Moves stock: adds one movement for each entry of `p_changes` ({product_id, warehouse_id, quantity, type, unit_cost?,
-- order_item_id?, reference_id?, notes?}), or one for each batch that it touches (see `detail_changes` for batch_id,
-- serials and to_warehouse_id). Locks as `lock_stock` does.
create or replace function inventory.move_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_changes jsonb)
returns void language plpgsql as $$
declare
  products bigint[];
  warehouses bigint[];
  changes jsonb := p_changes;
  in_detail boolean;
  short record;
begin
  select array_agg(k.product_id), array_agg(k.warehouse_id) into products, warehouses
  from jsonb_to_recordset(p_changes) as c (product_id bigint, warehouse_id bigint, to_warehouse_id bigint),
    lateral (values (c.product_id, c.warehouse_id), (c.product_id, c.to_warehouse_id)) k (product_id, warehouse_id)
  where k.warehouse_id is not null;
  perform inventory.lock_stock(p_tenant, products, warehouses);

  select bool_or(c.to_warehouse_id is not null or c.batch_id is not null or c.serials is not null
    or (select p.tracking_type <> 'none' from inventory.products p where p.tenant_id = p_tenant and p.id = c.product_id))
  into in_detail
  from jsonb_to_recordset(p_changes) as c (product_id bigint, to_warehouse_id bigint, batch_id bigint, serials jsonb);
  if in_detail then changes := inventory.detail_changes(p_tenant, p_now, p_changes); end if;

  select c.product_id, c.warehouse_id into short
  from (select product_id, warehouse_id, sum(quantity) as net
        from jsonb_to_recordset(changes) as c (product_id bigint, warehouse_id bigint, quantity bigint)
        group by 1, 2) c
  where c.net < 0 and c.net < (select s.reserved_quantity - s.quantity from inventory.stock s
    where s.tenant_id = p_tenant and s.product_id = c.product_id and s.warehouse_id = c.warehouse_id)
  order by 1, 2 limit 1;
  if found then perform inventory.refuse_missing(p_tenant, short.product_id, short.warehouse_id); end if;

  perform inventory.add_movements(p_tenant, p_user, p_now,
    array(select c from jsonb_populate_recordset(null::inventory.change, changes) c));
  if in_detail then perform inventory.move_serials(p_tenant, p_user, p_now, changes); end if;
end $$;

-- The moving average cost of a product of which `p_stock` units were there, after `p_units` more (less, if negative) that
-- are worth `p_worth`.
create or replace function inventory.new_average(p_stock bigint, p_average numeric, p_units numeric, p_worth numeric)
returns numeric language sql immutable as $$
  select case when p_stock + p_units > 0
    then round((p_stock * p_average + p_worth) / (p_stock + p_units), 6) else p_average end
$$;

-- Adds a movement for each change. The caller has locked products and stock rows, and has checked that the units are
-- there.
--
-- Maintains the moving average cost, the sales and the valuation, and gives stock that has become free to the backorders
-- that wait for it.
create or replace function inventory.add_movements(p_tenant bigint, p_user bigint, p_now timestamptz,
  p_changes inventory.change[])
returns void language plpgsql as $$
declare
  moment timestamptz;
  today date;
  moved inventory.movements[];
  is_awaited boolean;
begin
  -- Time never runs backwards in the ledger of a product, whichever of two requests came to its lock first.
  select greatest(p_now, max((select m.created_at from inventory.movements m
      where m.tenant_id = p_tenant and m.product_id = c.product_id order by m.created_at desc, m.id desc limit 1))),
    bool_or(c.quantity > 0 and exists (select from inventory.order_items i where i.tenant_id = p_tenant
      and i.product_id = c.product_id and i.warehouse_id = c.warehouse_id and i.quantity_backordered > 0))
  into moment, is_awaited
  from unnest(p_changes) c;
  today := inventory.sales_day(p_tenant, moment);

  moved := inventory.write_movements(p_tenant, p_user, moment, p_changes);
  if (moved[1]).order_item_id is not null then perform inventory.add_sales(p_tenant, today, moved); end if;
  perform inventory.value_movements(p_tenant, today, moved);
  update inventory.products p set total_stock = p.total_stock + c.net, average_cost = c.average
  from (select tenant_id, product_id, sum(quantity) as net, max(average_cost) as average
    from unnest(moved) group by 1, 2) c
  where p.tenant_id = c.tenant_id and p.id = c.product_id and (c.net <> 0 or c.average <> p.average_cost);

  if is_awaited then
    perform inventory.fill_backorders(p_tenant, p_user, p_now, array(select product_id from unnest(p_changes)),
      array(select warehouse_id from unnest(p_changes)));
  end if;
end $$;

-- Writes changes to the ledger, each with its cost and the average that all of them leave, and returns them as they are
-- there. The products still have the average from before.
create or replace function inventory.write_movements(p_tenant bigint, p_user bigint, p_moment timestamptz,
  p_changes inventory.change[]) returns inventory.movements[] language plpgsql as $$
declare
  moved inventory.movements[];
begin
  with priced as (
    select c.*, p.total_stock, p.average_cost as average_before, c.quantity > 0 and c.type <> 'transfer_in' as is_bought,
      case when c.quantity > 0 and c.type <> 'transfer_in' then coalesce(c.unit_cost, p.cost_price, 0)
        else p.average_cost end as cost
    from unnest(p_changes) with ordinality as c (product_id, warehouse_id, quantity, type, unit_cost, batch_id,
      order_item_id, reference_id, notes, position)
    cross join lateral (select * from inventory.products p
      where p.tenant_id = p_tenant and p.id = c.product_id offset 0) p
  ), added as (
    insert into inventory.movements as m (tenant_id, product_id, warehouse_id, movement_type, quantity, balance, unit_cost,
      average_cost, batch_id, order_item_id, reference_id, notes, created_by, created_at)
    select p_tenant, product_id, warehouse_id, type, quantity, 0, cost, case when bool_or(is_bought) over product
        then inventory.new_average(total_stock, average_before, sum(quantity) over product, sum(quantity * cost) over product)
        else average_before end,
      batch_id, order_item_id, reference_id, notes, p_user, p_moment
    from priced window product as (partition by product_id) order by product_id, warehouse_id, position
    returning m as movement
  )
  select array_agg(movement) into moved from added;
  return moved;
end $$;

-- Notes what the movements of order lines sold or took back: what the lines charge for the units, and what they cost.
create or replace function inventory.add_sales(p_tenant bigint, p_day date, p_moved inventory.movements[]) returns void
language plpgsql as $$
begin
  insert into inventory.sales_changes (tenant_id, day, product_id, warehouse_id, units, revenue, cogs)
  select p_tenant, p_day, m.product_id, m.warehouse_id, m.units, inventory.line_amount(i, m.units), m.cogs
  from (select tenant_id, order_item_id, product_id, warehouse_id, -sum(quantity)::bigint as units,
      -round(sum(quantity * unit_cost), 2) as cogs
    from unnest(p_moved) where order_item_id is not null group by 1, 2, 3, 4) m
  join inventory.order_items i on i.tenant_id = m.tenant_id and i.id = m.order_item_id;
end $$;

-- Notes by how much movements change the value of all stock: first units come and go at the average that their product
-- still has, then what is there takes the new one.
create or replace function inventory.value_movements(p_tenant bigint, p_day date, p_moved inventory.movements[]) returns void
language plpgsql as $$
begin
  insert into inventory.valuation_changes (tenant_id, day, value, items)
  select p_tenant, p_day, sum(value), sum(items)
  from (
    select round(m.balance * p.average_cost, 2) - round((m.balance - m.quantity) * p.average_cost, 2) as value,
      (m.balance > 0)::int - (m.balance - m.quantity > 0)::int as items
    from unnest(p_moved) m
    cross join lateral (select p.average_cost from inventory.products p
      where p.tenant_id = p_tenant and p.id = m.product_id offset 0) p
    union all
    select round(s.quantity * c.average_cost, 2) - round(s.quantity * p.average_cost, 2), 0
    from (select distinct product_id, average_cost from unnest(p_moved)) c
    cross join lateral (select p.average_cost from inventory.products p
      where p.tenant_id = p_tenant and p.id = c.product_id and p.average_cost <> c.average_cost offset 0) p
    cross join lateral (select s.quantity from inventory.stock s
      where s.tenant_id = p_tenant and s.product_id = c.product_id offset 0) s) v
  having (sum(value), sum(items)) <> (0, 0);
end $$;

-- Adds units of products to warehouses, or removes them, and returns how many are there then; all changes are made, or
-- none. `p_changes` are those of `move_stock`, each of another stock row. Locks as `lock_stock` does.
create or replace function inventory.adjust_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_changes jsonb)
returns bigint[] language plpgsql as $$
declare
  changes inventory.change[];
  quantities bigint[];
  in_detail boolean;
  short bigint;
begin
  perform inventory.lock_stock(p_tenant, array_agg(product_id), array_agg(warehouse_id))
  from jsonb_to_recordset(p_changes) as c (product_id bigint, warehouse_id bigint);

  select array_agg(s.quantity + c.quantity order by c.position),
    array_agg(row(c.product_id, c.warehouse_id, c.quantity, c.type, null, null, null, null, c.notes)::inventory.change
      order by c.position),
    bool_or(p.tracking_type <> 'none' or c.batch_id is not null or c.serials is not null),
    min(c.position) filter (where s.quantity + c.quantity < s.reserved_quantity)
  into quantities, changes, in_detail, short
  from rows from (jsonb_to_recordset(p_changes) as (product_id bigint, warehouse_id bigint, quantity bigint, type text,
    batch_id bigint, serials jsonb, notes text)) with ordinality
    as c (product_id, warehouse_id, quantity, type, batch_id, serials, notes, position)
  cross join lateral (select p.tracking_type from inventory.products p
    where p.tenant_id = p_tenant and p.id = c.product_id and p.deleted_at is null offset 0) p
  cross join lateral (select s.quantity, s.reserved_quantity from inventory.stock s
    where s.tenant_id = p_tenant and s.product_id = c.product_id and s.warehouse_id = c.warehouse_id offset 0) s;
  -- Whoever deleted a product may have held its lock before.
  if cardinality(quantities) is distinct from jsonb_array_length(p_changes) then
    perform platform.refuse('product_not_found');
  end if;

  if in_detail then
    perform inventory.add_adjusted_serials(p_tenant, p_user, p_now, p_changes);
    perform inventory.move_stock(p_tenant, p_user, p_now, p_changes);
    return quantities;
  end if;
  if short is not null then
    perform inventory.refuse_missing(p_tenant, changes[short].product_id, changes[short].warehouse_id);
  end if;
  perform inventory.add_movements(p_tenant, p_user, p_now, changes);
  return quantities;
end $$;

-- Adds the serials that adjustments of serial-tracked products name, and refuses those that do not name theirs. The caller
-- has locked products and stock rows.
create or replace function inventory.add_adjusted_serials(p_tenant bigint, p_user bigint, p_now timestamptz, p_changes jsonb)
returns void language plpgsql as $$
declare
  c record;
begin
  for c in
    select x.* from jsonb_to_recordset(p_changes)
      as x (product_id bigint, warehouse_id bigint, quantity bigint, serials jsonb, notes text)
    join inventory.products p on p.tenant_id = p_tenant and p.id = x.product_id where p.tracking_type = 'serial'
  loop
    if c.serials is null then perform platform.refuse('adjusted_by_serials'); end if;
    if jsonb_array_length(c.serials) <> abs(c.quantity) then
      perform platform.refuse('serials_do_not_match_units',
        jsonb_build_object('named', jsonb_array_length(c.serials), 'units', abs(c.quantity)));
    end if;
    if c.quantity > 0 then
      perform inventory.add_serials(p_tenant, p_user, p_now, c.product_id, c.warehouse_id,
        array(select jsonb_array_elements_text(c.serials)), null, null, c.notes);
    end if;
  end loop;
end $$;

-- Moves units of a product to another warehouse. Locks as `lock_stock` does.
create or replace function inventory.transfer_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_product bigint,
  p_from bigint, p_to bigint, p_quantity bigint, p_batch bigint, p_serials jsonb, p_notes text)
returns void language plpgsql as $$
declare
  tracking text;
begin
  select tracking_type into tracking from inventory.products
  where tenant_id = p_tenant and id = p_product and deleted_at is null;
  if not found then perform platform.refuse('product_not_found'); end if;
  if tracking = 'serial' and p_serials is null then perform platform.refuse('serials_to_transfer_missing'); end if;
  if p_from = p_to then perform platform.refuse('transfer_to_itself'); end if;

  if tracking <> 'none' or p_batch is not null or p_serials is not null then
    perform inventory.move_stock(p_tenant, p_user, p_now, jsonb_build_array(jsonb_build_object('product_id', p_product,
      'warehouse_id', p_from, 'to_warehouse_id', p_to, 'quantity', -p_quantity, 'type', 'transfer_out',
      'batch_id', p_batch, 'serials', p_serials, 'notes', p_notes)));
    return;
  end if;
  perform inventory.lock_stock(p_tenant, array[p_product, p_product], array[p_from, p_to]);
  perform from inventory.stock where tenant_id = p_tenant and product_id = p_product and warehouse_id = p_from
    and quantity - reserved_quantity >= p_quantity;
  if not found then perform inventory.refuse_missing(p_tenant, p_product, p_from); end if;
  perform inventory.add_movements(p_tenant, p_user, p_now, array[
    row(p_product, p_from, -p_quantity, 'transfer_out', null, null, null, null, p_notes)::inventory.change,
    row(p_product, p_to, p_quantity, 'transfer_in', null, null, null, null, p_notes)::inventory.change]);
end $$;

-- Refuses to take more units from a warehouse than are free there.
create or replace function inventory.refuse_missing(p_tenant bigint, p_product bigint, p_warehouse bigint) returns void
language plpgsql as $$
begin
  perform platform.refuse('not_enough_in_warehouse', jsonb_build_object('sku', p.sku, 'warehouse', w.name,
    'available', s.quantity - s.reserved_quantity))
  from inventory.stock s
  join inventory.products p on p.tenant_id = p_tenant and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = p_tenant and w.id = s.warehouse_id
  where s.tenant_id = p_tenant and s.product_id = p_product and s.warehouse_id = p_warehouse;
end $$;

-- Gives free stock to the lines that wait for it, oldest first. The caller has locked the stock rows.
create or replace function inventory.fill_backorders(p_tenant bigint, p_user bigint, p_now timestamptz,
  p_products bigint[], p_warehouses bigint[]) returns void language plpgsql as $$
declare
  v_lines bigint[];
  v_units bigint[];
begin
  with free as (
    select product_id, warehouse_id, quantity - reserved_quantity as units from inventory.stock
    where tenant_id = p_tenant and quantity > reserved_quantity
      and (product_id, warehouse_id) in (select * from unnest(p_products, p_warehouses))
  ), queue as (
    select i.id, i.quantity_backordered as wanted, f.units - sum(i.quantity_backordered)
      over (partition by i.product_id, i.warehouse_id order by i.id) + i.quantity_backordered as left_for_it
    from inventory.order_items i join free f using (product_id, warehouse_id)
    where i.tenant_id = p_tenant and i.quantity_backordered > 0
  )
  select array_agg(id), array_agg(least(wanted, left_for_it)) into v_lines, v_units from queue where left_for_it > 0;
  if v_lines is not null then perform inventory.reserve_for_lines(p_tenant, p_user, p_now, v_lines, v_units); end if;
end $$;

-- Locks all lines of orders. Whoever changes an order, or a line of it because of stock, does so before writing down how
-- the order is then: so each event tells of all changes before it, and nobody has to wait for the order itself, which would
-- be against the order of locks.
create or replace function inventory.lock_lines(p_tenant bigint, p_orders bigint[]) returns void language plpgsql as $$
begin
  perform from inventory.order_items where tenant_id = p_tenant and order_id = any (p_orders) order by id for no key update;
end $$;

-- Turns waiting units of lines into reserved ones, or the other way if they are negative, and writes down that their orders
-- changed, and by whom. The caller has locked the stock rows. Locks all lines of the orders.
create or replace function inventory.reserve_for_lines(p_tenant bigint, p_user bigint, p_now timestamptz,
  p_lines bigint[], p_units bigint[]) returns void language plpgsql as $$
declare
  v_orders bigint[] := array(select distinct order_id from inventory.order_items
    where tenant_id = p_tenant and id = any (p_lines) order by order_id);
begin
  perform inventory.lock_lines(p_tenant, v_orders);
  with changed as (
    update inventory.order_items i set quantity_reserved = i.quantity_reserved + c.units,
      quantity_backordered = i.quantity_backordered - c.units
    from unnest(p_lines, p_units) c (id, units) where i.tenant_id = p_tenant and i.id = c.id
    returning i.product_id, i.warehouse_id, c.units
  )
  update inventory.stock s set reserved_quantity = s.reserved_quantity + c.units
  from (select product_id, warehouse_id, sum(units) as units from changed group by 1, 2) c
  where s.tenant_id = p_tenant and s.product_id = c.product_id and s.warehouse_id = c.warehouse_id;
  perform inventory.add_order_history(p_tenant, p_user, p_now, c.order_id, c.type, null, c.items)
  from (
    select i.order_id, case when c.units > 0 then 'reserved' else 'backordered' end as type,
      jsonb_agg(jsonb_build_object('order_item_id', i.id, 'quantity', abs(c.units)) order by i.id) as items
    from unnest(p_lines, p_units) c (id, units)
    join inventory.order_items i on i.tenant_id = p_tenant and i.id = c.id group by 1, 2 order by 1) c;
  perform inventory.add_order_event(p_tenant, o.id, 'order.updated') from unnest(v_orders) o (id);
end $$;

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

-- Sets quantities on hand; the arrays are the counts, of which `p_expected` may be null. Locks as `lock_stock` does. A
-- count below what is reserved turns the newest reservations into backorders. Returns how many were set, and those that
-- could not be, each with a machine-readable reason.
create or replace function inventory.sync_stock(p_tenant bigint, p_user bigint, p_now timestamptz, p_skus text[],
  p_warehouses bigint[], p_quantities bigint[], p_expected bigint[], out updated bigint, out skipped jsonb)
language plpgsql as $$
declare
  changes inventory.change[];
  is_tracked boolean;
  short_products bigint[];
  short_warehouses bigint[];
  short_units bigint[];
begin
  perform inventory.lock_stock(p_tenant, array_agg(p.id), array_agg(w.id))
  from unnest(p_skus, p_warehouses) as i (sku, warehouse_id)
  cross join lateral (select p.id from inventory.products p where p.tenant_id = p_tenant and p.sku = i.sku
    and p.deleted_at is null and p.tracking_type <> 'serial' offset 0) p
  cross join lateral (select w.id from inventory.warehouses w
    where w.tenant_id = p_tenant and w.id = i.warehouse_id offset 0) w
  having count(*) > 0;

  select count(*) filter (where reason is null),
    coalesce(jsonb_agg(jsonb_build_object('position', position, 'sku', sku, 'warehouse_id', warehouse_id,
      'reason', reason, 'on_hand', on_hand, 'expected', expected) order by position) filter (where reason is not null), '[]'),
    array_agg(row(product_id, warehouse_id, quantity - on_hand, 'sync', null, null, null, null, null)::inventory.change
      order by position) filter (where reason is null and quantity <> on_hand),
    bool_or(tracking_type <> 'none') filter (where reason is null),
    array_agg(product_id) filter (where reason is null and reserved > quantity),
    array_agg(warehouse_id) filter (where reason is null and reserved > quantity),
    array_agg(reserved - quantity) filter (where reason is null and reserved > quantity)
  into updated, skipped, changes, is_tracked, short_products, short_warehouses, short_units
  from (
    select i.*, p.id as product_id, p.tracking_type, coalesce(s.quantity, 0) as on_hand,
      coalesce(s.reserved_quantity, 0) as reserved, case
        when p.id is null then 'unknown_sku'
        when p.tracking_type = 'serial' then 'tracked_by_serial'
        when w.id is null then 'unknown_warehouse'
        when row_number() over (partition by i.sku, i.warehouse_id order by i.position) > 1 then 'given_more_than_once'
        when i.expected <> coalesce(s.quantity, 0) then 'unexpected_quantity'
      end as reason
    from unnest(p_skus, p_warehouses, p_quantities, p_expected) with ordinality
      as i (sku, warehouse_id, quantity, expected, position)
    left join lateral (select p.id, p.tracking_type from inventory.products p
      where p.tenant_id = p_tenant and p.sku = i.sku and p.deleted_at is null offset 0) p on true
    left join lateral (select w.id from inventory.warehouses w
      where w.tenant_id = p_tenant and w.id = i.warehouse_id offset 0) w on true
    left join lateral (select s.quantity, s.reserved_quantity from inventory.stock s
      where s.tenant_id = p_tenant and s.product_id = p.id and s.warehouse_id = w.id offset 0) s on true) i;

  if short_products is not null then
    perform inventory.release_newest(p_tenant, p_user, p_now, short_products, short_warehouses, short_units);
  end if;
  if is_tracked then
    perform inventory.move_stock(p_tenant, p_user, p_now, to_jsonb(changes)) where changes is not null;
  elsif changes is not null then
    perform inventory.add_movements(p_tenant, p_user, p_now, changes);
  end if;
end $$;

-- Turns reserved units of stock rows into backorders, those of the newest lines first. The caller has locked the rows.
create or replace function inventory.release_newest(p_tenant bigint, p_user bigint, p_now timestamptz,
  p_products bigint[], p_warehouses bigint[], p_units bigint[]) returns void language plpgsql as $$
declare
  v_lines bigint[];
  v_freed bigint[];
begin
  select array_agg(id), array_agg(-units) into v_lines, v_freed
  from (
    select i.id, least(i.quantity_reserved, f.units - sum(i.quantity_reserved)
      over (partition by i.product_id, i.warehouse_id order by i.id desc) + i.quantity_reserved) as units
    from unnest(p_products, p_warehouses, p_units) f (product_id, warehouse_id, units)
    join inventory.order_items i using (product_id, warehouse_id)
    where i.tenant_id = p_tenant and i.quantity_reserved > 0) queue
  where units > 0;
  if v_lines is not null then perform inventory.reserve_for_lines(p_tenant, p_user, p_now, v_lines, v_freed); end if;
end $$;
