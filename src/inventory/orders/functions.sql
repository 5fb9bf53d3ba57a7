-- What happens to stock when an order is placed, shipped, returned or cancelled. For the order of locks see stock.

create or replace function inventory.order_number(p_number bigint) returns text language sql immutable as $$
  select 'ORD-' || inventory.padded(p_number)
$$;

-- What units of an order line come to. Whatever turns units of a line into money calls this.
create or replace function inventory.line_amount(p_line inventory.order_items, p_units bigint) returns numeric
language sql immutable as $$
  select p_units * p_line.unit_price
$$;

-- The order as `GET /api/orders/{id}` returns it; the lines of a new order are not in its table yet and are given.
create or replace function inventory.order_document(p_order inventory.orders, p_customer text, p_items json) returns json
language sql stable as $$
  select json_build_object('id', p_order.id, 'order_number', inventory.order_number(p_order.number),
    'customer_id', p_order.customer_id, 'customer_name', p_customer, 'status', p_order.status,
    'channel', p_order.channel, 'total_amount', p_order.total_amount::text, 'item_count', p_order.item_count,
    'warehouse_id', p_order.warehouse_id, 'shipping_address', p_order.shipping_address, 'items', p_items,
    'created_at', platform.iso_time(p_order.created_at))
$$;

-- A line of an order, in responses and in events.
create or replace function inventory.order_line_document(p_line inventory.order_items) returns json language sql stable as $$
  select json_build_object('id', p_line.id, 'product_id', p_line.product_id, 'sku', p_line.sku,
    'product_name', p_line.product_name, 'quantity', p_line.quantity, 'unit_price', p_line.unit_price::text,
    'quantity_fulfilled', p_line.quantity_fulfilled, 'quantity_backordered', p_line.quantity_backordered,
    'quantity_returned', p_line.quantity_returned, 'quantity_reserved', p_line.quantity_reserved)
$$;

-- Adds to what an order's timeline tells. `p_items`: {order_item_id, quantity, …}.
create or replace function inventory.add_order_history(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_type text, p_status text, p_items jsonb) returns void language plpgsql as $$
begin
  insert into inventory.order_history (tenant_id, order_id, type, status, items, created_by, created_at)
  values (p_tenant, p_order, p_type, p_status, p_items, p_user, p_now);
end $$;

-- Writes down that something happened to an order, with the order as it is now. The caller has locked its lines.
create or replace function inventory.add_order_event(p_tenant bigint, p_order bigint, p_type text) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_tenant::text, p_type, 'order/' || p_order, inventory.order_document(o,
    (select c.name from inventory.customers c where c.tenant_id = p_tenant and c.id = o.customer_id),
    (select json_agg(inventory.order_line_document(i) order by i.id) from inventory.order_items i
      where i.tenant_id = p_tenant and i.order_id = p_order))
  from inventory.orders o where o.tenant_id = p_tenant and o.id = p_order;
end $$;

-- Reserves units for the lines of a new order, of which the arrays have products, quantities and prices. Returns what an
-- order keeps of each product, how much of each line is reserved, and what the lines come to; `short_sku` is one of which
-- there is too little. Several lines of one product are one demand, met in the order of the lines. Locks the stock rows,
-- creating missing ones, see `lock_stock`.
create or replace function inventory.reserve_lines(p_tenant bigint, p_warehouse bigint, p_products bigint[],
  p_quantities bigint[], p_prices numeric[], out skus text[], out names text[], out reserved bigint[], out short_sku text,
  out total numeric, out units bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_lines int := cardinality(p_products);
begin
  for attempt in 1 .. 2 loop
    select array_agg(l.sku), array_agg(l.name), array_agg(l.reserved), min(l.sku) filter (where l.reserved < l.quantity),
      sum(l.quantity * l.price), sum(l.quantity)
    into skus, names, reserved, short_sku, total, units
    from (
      select l.*, greatest(0, least(l.quantity, l.free + l.quantity
        - sum(l.quantity) over (partition by l.product_id order by l.position))) as reserved
      from (
        select i.*, p.sku, p.name, s.quantity - s.reserved_quantity as free
        from (select * from unnest(p_products, p_quantities, p_prices) with ordinality
          as i (product_id, quantity, price, position) order by product_id) i
        cross join lateral (select p.sku, p.name from inventory.products p
          where p.tenant_id = p_tenant and p.id = i.product_id and p.deleted_at is null offset 0) p
        cross join lateral (select s.quantity, s.reserved_quantity from inventory.stock s
          where s.tenant_id = p_tenant and s.product_id = i.product_id and s.warehouse_id = p_warehouse
          for no key update) s) l
      order by l.position) l;
    exit when cardinality(skus) = v_lines;
    -- A product that was never in this warehouse gets a row there; one that does not exist is refused.
    perform inventory.lock_stock(p_tenant, p_products, array_fill(p_warehouse, array[v_lines]));
  end loop;
  if cardinality(skus) < v_lines then perform platform.refuse('product_not_found'); end if;

  update inventory.stock s set reserved_quantity = s.reserved_quantity + m.reserved
  from (select p_tenant as tenant_id, product_id, p_warehouse as warehouse_id, sum(r.reserved) as reserved
        from unnest(p_products, reserve_lines.reserved) as r (product_id, reserved) group by 2) m
  where s.tenant_id = m.tenant_id and s.product_id = m.product_id and s.warehouse_id = m.warehouse_id
    and m.reserved > 0;
end $$;

-- Places an order with its reservations, backorders and number, and returns its id, number and total; the three arrays
-- are its lines. Locks what `reserve_lines` does, the customer, and the number.
create or replace function inventory.create_order(p_tenant bigint, p_user bigint, p_now timestamptz, p_customer bigint,
  p_warehouse bigint, p_channel text, p_address jsonb, p_products bigint[], p_quantities bigint[], p_prices numeric[])
returns table (id bigint, number bigint, total_amount numeric) language plpgsql as $$
#variable_conflict use_column
declare
  v_warehouse bigint;
  v_lines record;
  v_customer text;
  v_order inventory.orders;
begin
  select w.id into v_warehouse from inventory.warehouses w
  where w.tenant_id = p_tenant and case when p_warehouse is null then w.is_default else w.id = p_warehouse end;
  if not found then perform platform.refuse('warehouse_not_found'); end if;
  v_lines := inventory.reserve_lines(p_tenant, v_warehouse, p_products, p_quantities, p_prices);

  if p_customer is not null then
    update inventory.customers c set total_orders = c.total_orders + 1, total_spent = c.total_spent + v_lines.total
    where c.tenant_id = p_tenant and c.id = p_customer and c.deleted_at is null
    returning c.name into v_customer;
    if not found then perform platform.refuse('customer_not_found'); end if;
  end if;
  if v_lines.short_sku is not null
    and (select t.oversell_policy = 'reject' from inventory.tenants t where t.id = p_tenant) then
    perform platform.refuse('not_enough_for_order', jsonb_build_object('sku', v_lines.short_sku));
  end if;

  insert into inventory.orders (tenant_id, number, customer_id, warehouse_id, channel, total_amount, item_count,
    unit_count, shipping_address, created_by, created_at)
  values (p_tenant, inventory.next_number(p_tenant, 'order'), p_customer, v_warehouse, p_channel, v_lines.total,
    cardinality(p_products), v_lines.units, p_address, p_user, p_now)
  returning * into v_order;
  with lines as (
    insert into inventory.order_items as i (tenant_id, order_id, product_id, warehouse_id, sku, product_name, quantity,
      unit_price, quantity_reserved, quantity_backordered)
    select p_tenant, v_order.id, product_id, v_warehouse, sku, name, quantity, price, reserved, quantity - reserved
    from unnest(p_products, p_quantities, p_prices, v_lines.reserved, v_lines.skus, v_lines.names)
      as l (product_id, quantity, price, reserved, sku, name)
    returning i.id, inventory.order_line_document(i) as line
  )
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_tenant::text, 'order.created', 'order/' || v_order.id,
    inventory.order_document(v_order, v_customer, json_agg(line order by lines.id)) from lines;
  if v_lines.short_sku is not null then
    perform inventory.add_order_history(p_tenant, p_user, p_now, v_order.id, 'created', null, (
      select jsonb_agg(jsonb_build_object('order_item_id', i.id, 'quantity', i.quantity_backordered) order by i.id)
      from inventory.order_items i where i.order_id = v_order.id and i.quantity_backordered > 0));
  end if;
  return query select v_order.id, v_order.number, v_order.total_amount;
end $$;

-- Locks an order and returns its status.
create or replace function inventory.lock_order(p_tenant bigint, p_order bigint) returns text language plpgsql as $$
declare
  v_status text;
begin
  select status into v_status from inventory.orders where tenant_id = p_tenant and id = p_order for no key update;
  if not found then perform platform.refuse('order_not_found'); end if;
  return v_status;
end $$;

-- What has not been shipped of an order yet, as `ship_items` takes it; null if nothing is open.
create or replace function inventory.open_items(p_tenant bigint, p_order bigint) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('order_item_id', id, 'quantity', quantity - quantity_fulfilled) order by id)
  from inventory.order_items where tenant_id = p_tenant and order_id = p_order and quantity > quantity_fulfilled
$$;

-- Ships units of an order that has one of `p_statuses`, and sets its status to `p_partly` or, if nothing is open any more,
-- `p_wholly`. Returns it. Locks the order, and what `ship_items` does.
create or replace function inventory.fulfil_order(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_items jsonb, p_statuses text[], p_partly text, p_wholly text)
returns text language plpgsql as $$
declare
  v_status text := inventory.lock_order(p_tenant, p_order);
begin
  if v_status <> all (p_statuses) then
    perform platform.refuse('order_not_shippable', jsonb_build_object('status', v_status));
  end if;
  perform inventory.ship_items(p_tenant, p_user, p_now, p_order, p_items);
  v_status := case when inventory.open_items(p_tenant, p_order) is null then p_wholly else p_partly end;
  update inventory.orders set status = v_status where tenant_id = p_tenant and id = p_order;
  perform inventory.add_order_history(p_tenant, p_user, p_now, p_order, 'shipped', v_status, p_items);
  perform inventory.add_order_event(p_tenant, p_order,
    case when v_status = p_wholly then 'order.fulfilled' else 'order.updated' end);
  return v_status;
end $$;

-- Takes units of an order that has one of `p_statuses` back, and returns its status. Locks the order, and what
-- `return_items` does.
create or replace function inventory.return_order_items(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_items jsonb, p_statuses text[])
returns text language plpgsql as $$
declare
  v_status text := inventory.lock_order(p_tenant, p_order);
begin
  if v_status <> all (p_statuses) then
    perform platform.refuse('order_not_returnable', jsonb_build_object('status', v_status));
  end if;
  perform inventory.return_items(p_tenant, p_user, p_now, p_order, p_items);
  perform inventory.add_order_history(p_tenant, p_user, p_now, p_order, 'returned', null, p_items);
  perform inventory.add_order_event(p_tenant, p_order, 'order.returned');
  return v_status;
end $$;

-- Gives an order that has one of `p_statuses` another status. `p_effect` says what that means for stock: `ship` what is
-- open, `cancel` the order, or nothing. Locks the order, and what `ship_items` or `cancel_order` does.
create or replace function inventory.change_order_status(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_status text, p_statuses text[], p_effect text)
returns void language plpgsql as $$
declare
  v_status text := inventory.lock_order(p_tenant, p_order);
  v_open jsonb;
begin
  if v_status <> all (p_statuses) then
    perform platform.refuse('order_status_not_allowed', jsonb_build_object('status', v_status, 'wanted', p_status));
  end if;
  if p_effect = 'ship' then
    v_open := inventory.open_items(p_tenant, p_order);
    if v_open is not null then perform inventory.ship_items(p_tenant, p_user, p_now, p_order, v_open); end if;
  elsif p_effect = 'cancel' then
    perform inventory.cancel_order(p_tenant, p_user, p_now, p_order);
  end if;
  -- Shipping and cancelling have locked them.
  if v_open is null and p_effect is distinct from 'cancel' then
    perform inventory.lock_lines(p_tenant, array[p_order]);
  end if;
  update inventory.orders set status = p_status where tenant_id = p_tenant and id = p_order;
  perform inventory.add_order_history(p_tenant, p_user, p_now, p_order,
    case when v_open is null then 'status_changed' else 'shipped' end, p_status, coalesce(v_open, '[]'));
  perform inventory.add_order_event(p_tenant, p_order, case p_effect
    when 'ship' then 'order.fulfilled' when 'cancel' then 'order.cancelled' else 'order.updated' end);
end $$;

-- The products and warehouses of the lines that items name, for each item one of them. Refuses lines of other orders.
create or replace function inventory.places_of_items(p_tenant bigint, p_order bigint, p_items jsonb,
  out products bigint[], out warehouses bigint[]) language plpgsql as $$
declare
  v_ids bigint[];
begin
  select array_agg(i.id), array_agg(i.product_id), array_agg(i.warehouse_id) into v_ids, products, warehouses
  from jsonb_to_recordset(p_items) as a (order_item_id bigint)
  left join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id and i.order_id = p_order;
  if v_ids is null or array_position(v_ids, null) is not null then
    perform platform.refuse('order_line_not_found');
  end if;
end $$;

-- Ships units of an order. `p_items`: {order_item_id, quantity, batch_id?, serials?}. The caller has locked the order;
-- locks products, stock rows and the lines.
create or replace function inventory.ship_items(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint, p_items jsonb)
returns void language plpgsql as $$
declare
  v_places record;
  v_wrong record;
begin
  select * into v_places from inventory.places_of_items(p_tenant, p_order, p_items);
  perform inventory.lock_stock(p_tenant, v_places.products, v_places.warehouses);
  perform inventory.lock_lines(p_tenant, array[p_order]);

  select i.id, i.sku, i.quantity - i.quantity_fulfilled as open into v_wrong
  from (select order_item_id, sum(quantity) as quantity
        from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1) a
  join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id
  where a.quantity > i.quantity - i.quantity_fulfilled order by i.id limit 1;
  if found then
    perform platform.refuse('more_than_open', to_jsonb(v_wrong));
  end if;

  select i.sku, s.quantity - s.reserved_quantity as free into v_wrong
  from (select order_item_id, sum(quantity) as quantity
        from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1) a
  join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id
  join inventory.stock s on s.tenant_id = p_tenant and s.product_id = i.product_id and s.warehouse_id = i.warehouse_id
  group by i.sku, i.product_id, s.quantity, s.reserved_quantity
  having sum(greatest(0, a.quantity - i.quantity_reserved)) > s.quantity - s.reserved_quantity
  order by i.product_id limit 1;
  if found then
    perform platform.refuse('not_enough_free', to_jsonb(v_wrong));
  end if;

  with asked as (
    select order_item_id, sum(quantity) as quantity
    from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1
  ), released as (
    select i.product_id, i.warehouse_id, sum(least(a.quantity, i.quantity_reserved)) as units
    from asked a join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id group by 1, 2
  ), freed as (
    update inventory.stock s set reserved_quantity = s.reserved_quantity - r.units
    from released r where s.tenant_id = p_tenant and s.product_id = r.product_id and s.warehouse_id = r.warehouse_id
  )
  update inventory.order_items i set
    quantity_fulfilled = i.quantity_fulfilled + a.quantity,
    quantity_reserved = i.quantity_reserved - least(a.quantity, i.quantity_reserved),
    quantity_backordered = i.quantity_backordered - greatest(0, a.quantity - i.quantity_reserved),
    shipped_cost = i.shipped_cost + a.quantity * p.average_cost
  from asked a, inventory.products p
  where i.tenant_id = p_tenant and i.id = a.order_item_id and p.tenant_id = p_tenant and p.id = i.product_id;

  perform inventory.move_stock(p_tenant, p_user, p_now, (
    select jsonb_agg(jsonb_build_object('product_id', i.product_id, 'warehouse_id', i.warehouse_id,
      'quantity', -a.quantity, 'type', 'shipment', 'order_item_id', i.id, 'reference_id', p_order,
      'batch_id', a.batch_id, 'serials', a.serials) order by a.position)
    from rows from (jsonb_to_recordset(p_items) as (order_item_id bigint, quantity bigint, batch_id bigint, serials jsonb))
      with ordinality as a (order_item_id, quantity, batch_id, serials, position)
    join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id));
end $$;

-- Takes shipped units back into stock, at the cost they left with. `p_items`: {order_item_id, quantity, notes, serials?}.
-- The caller has locked the order; locks products, also deleted ones, stock rows, the lines, and the customer.
create or replace function inventory.return_items(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint, p_items jsonb)
returns void language plpgsql as $$
declare
  v_places record;
  v_wrong record;
  v_amount numeric;
begin
  select * into v_places from inventory.places_of_items(p_tenant, p_order, p_items);
  perform inventory.reopen_deleted(p_tenant, v_places.products, v_places.warehouses);
  perform inventory.lock_stock(p_tenant, v_places.products, v_places.warehouses);
  perform inventory.lock_lines(p_tenant, array[p_order]);

  select i.id, i.sku, i.quantity_fulfilled - i.quantity_returned as out into v_wrong
  from (select order_item_id, sum(quantity) as quantity
        from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1) a
  join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id
  where a.quantity > i.quantity_fulfilled - i.quantity_returned order by i.id limit 1;
  if found then
    perform platform.refuse('more_than_shipped', to_jsonb(v_wrong));
  end if;

  with returned as (
    update inventory.order_items i set quantity_returned = i.quantity_returned + a.quantity
    from (select order_item_id, sum(quantity) as quantity
          from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1) a
    where i.tenant_id = p_tenant and i.id = a.order_item_id
    returning inventory.line_amount(i, a.quantity::bigint) as amount
  )
  select sum(amount) into v_amount from returned;

  perform inventory.move_stock(p_tenant, p_user, p_now, (
    select jsonb_agg(jsonb_build_object('product_id', i.product_id, 'warehouse_id', i.warehouse_id,
      'quantity', a.quantity, 'type', 'return', 'order_item_id', i.id, 'reference_id', p_order,
      'unit_cost', round(i.shipped_cost / i.quantity_fulfilled, 6), 'notes', a.notes, 'serials', a.serials)
      order by a.position)
    from rows from (jsonb_to_recordset(p_items) as (order_item_id bigint, quantity bigint, notes text, serials jsonb))
      with ordinality as a (order_item_id, quantity, notes, serials, position)
    join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id));
  perform inventory.write_off_deleted(p_tenant, p_user, p_now, v_places.products);

  update inventory.customers c set total_spent = c.total_spent - v_amount
  from inventory.orders o
  where o.tenant_id = p_tenant and o.id = p_order and c.tenant_id = p_tenant and c.id = o.customer_id;
  update inventory.orders set returned_amount = returned_amount + v_amount where tenant_id = p_tenant and id = p_order;
end $$;

-- Releases what an order reserves, and takes back what it shipped. The caller has locked the order; locks products,
-- stock rows, the lines and the customer.
create or replace function inventory.cancel_order(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint)
returns void language plpgsql as $$
declare
  v_products bigint[];
  v_warehouses bigint[];
  v_back jsonb;
begin
  select array_agg(product_id), array_agg(warehouse_id) into v_products, v_warehouses
  from inventory.order_items where tenant_id = p_tenant and order_id = p_order;
  perform inventory.lock_stock(p_tenant, v_products, v_warehouses);
  perform inventory.lock_lines(p_tenant, array[p_order]);

  update inventory.stock s set reserved_quantity = s.reserved_quantity - r.units
  from (select product_id, warehouse_id, sum(quantity_reserved) as units from inventory.order_items
        where tenant_id = p_tenant and order_id = p_order group by 1, 2) r
  where s.tenant_id = p_tenant and s.product_id = r.product_id and s.warehouse_id = r.warehouse_id and r.units > 0;
  update inventory.order_items set quantity_reserved = 0, quantity_backordered = 0
  where tenant_id = p_tenant and order_id = p_order and quantity_reserved + quantity_backordered > 0;

  update inventory.customers c set total_orders = c.total_orders - 1,
    total_spent = c.total_spent - (o.total_amount - o.returned_amount)
  from inventory.orders o
  where o.tenant_id = p_tenant and o.id = p_order and c.tenant_id = p_tenant and c.id = o.customer_id;

  select jsonb_agg(jsonb_build_object('product_id', product_id, 'warehouse_id', warehouse_id,
    'quantity', units, 'type', 'return', 'order_item_id', id,
    'reference_id', p_order, 'unit_cost', round(shipped_cost / quantity_fulfilled, 6), 'notes', 'Order cancelled'))
  into v_back
  from (select *, least(quantity_fulfilled - quantity_returned, inventory.serials_out(p_tenant, product_id, id)) as units
    from inventory.order_items
    where tenant_id = p_tenant and order_id = p_order and quantity_fulfilled > quantity_returned) i
  where units > 0;
  update inventory.order_items set quantity_returned = quantity_fulfilled
  where tenant_id = p_tenant and order_id = p_order and quantity_fulfilled > quantity_returned;
  if v_back is not null then
    perform inventory.move_stock(p_tenant, p_user, p_now, v_back);
    perform inventory.add_order_history(p_tenant, p_user, p_now, p_order, 'returned', null, (
      select jsonb_agg(jsonb_build_object('order_item_id', b.order_item_id, 'quantity', b.quantity, 'notes', b.notes))
      from jsonb_to_recordset(v_back) as b (order_item_id bigint, quantity bigint, notes text)));
  end if;
  perform inventory.fill_backorders(p_tenant, p_user, p_now, v_products, v_warehouses);
end $$;
