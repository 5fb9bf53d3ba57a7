create or replace function inventory.purchase_order_number(p_number bigint) returns text language sql immutable as $$
  select 'PO-' || inventory.padded(p_number)
$$;

-- Units that are on their way: ordered, and not yet received.
create or replace view inventory.incoming as
  select i.tenant_id, i.product_id, o.warehouse_id, o.id as purchase_order_id, o.expected_date,
    i.quantity - i.quantity_received as units
  from inventory.purchase_order_items i
  join inventory.purchase_orders o on o.tenant_id = i.tenant_id and o.id = i.purchase_order_id
  where i.is_open and o.status in ('ordered', 'partial');

-- A line of a purchase order, in responses and in events.
create or replace function inventory.purchase_order_line_document(p_line inventory.purchase_order_items,
  p_product inventory.products) returns json language sql stable as $$
  select json_build_object('id', p_line.id, 'product_id', p_line.product_id, 'sku', p_line.sku,
    'product_name', p_line.product_name, 'quantity', p_line.quantity, 'quantity_received', p_line.quantity_received,
    'unit_cost', p_line.unit_cost::text, 'line_total', (p_line.quantity * p_line.unit_cost)::text,
    'barcode', p_product.barcode, 'tracking_type', p_product.tracking_type)
$$;

-- Writes down that something happened to a purchase order, with the order as `GET /api/suppliers/purchase-orders/{id}`
-- returns it now. The caller has locked it.
create or replace function inventory.add_purchase_order_event(p_tenant bigint, p_order bigint, p_type text) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_tenant::text, p_type, 'purchase_order/' || p_order, json_build_object('id', o.id,
    'po_number', inventory.purchase_order_number(o.number), 'supplier_id', o.supplier_id, 'supplier_name', s.name,
    'warehouse_id', o.warehouse_id, 'status', o.status, 'total_amount', o.total_amount::text,
    'expected_date', o.expected_date, 'notes', o.notes, 'items', (
      select json_agg(inventory.purchase_order_line_document(i, p) order by i.id)
      from inventory.purchase_order_items i
      join inventory.products p on p.tenant_id = i.tenant_id and p.id = i.product_id
      where i.tenant_id = p_tenant and i.purchase_order_id = p_order),
    'created_at', platform.iso_time(o.created_at))
  from inventory.purchase_orders o join inventory.suppliers s on s.tenant_id = o.tenant_id and s.id = o.supplier_id
  where o.tenant_id = p_tenant and o.id = p_order;
end $$;

-- Drafts a purchase order with its number, and returns its id, number and total. `p_items`: {product_id, quantity,
-- unit_cost?}; a line without a cost takes the cost_price of its product. Locks the products (shared, so that none is
-- deleted meanwhile) and the number. Also records who supplies the products, and at what cost.
create or replace function inventory.create_purchase_order(p_tenant bigint, p_user bigint, p_now timestamptz, p_supplier bigint,
  p_warehouse bigint, p_expected date, p_notes text, p_items jsonb)
returns table (id bigint, number bigint, total_amount numeric) language plpgsql as $$
#variable_conflict use_column
declare
  v_warehouse bigint;
  v_id bigint;
  v_number bigint;
  v_total numeric(30, 2);
  v_lines int;
begin
  -- Held, so that they are not deleted meanwhile.
  perform from inventory.suppliers s where s.tenant_id = p_tenant and s.id = p_supplier for key share;
  if not found then perform platform.refuse('supplier_not_found'); end if;
  select w.id into v_warehouse from inventory.warehouses w
  where w.tenant_id = p_tenant and case when p_warehouse is null then w.is_default else w.id = p_warehouse end;
  if not found then perform platform.refuse('warehouse_not_found'); end if;
  -- So are the products.
  perform from inventory.products p where p.tenant_id = p_tenant and p.deleted_at is null
    and p.id in (select i.product_id from jsonb_to_recordset(p_items) as i (product_id bigint))
  order by p.id for share;

  select sum(i.quantity * coalesce(i.unit_cost, p.cost_price, 0)), count(*) into v_total, v_lines
  from jsonb_to_recordset(p_items) as i (product_id bigint, quantity bigint, unit_cost numeric)
  join inventory.products p on p.tenant_id = p_tenant and p.id = i.product_id and p.deleted_at is null;
  if v_lines < jsonb_array_length(p_items) then perform platform.refuse('product_not_found'); end if;

  insert into inventory.purchase_orders as o (tenant_id, number, supplier_id, warehouse_id, total_amount,
    expected_date, notes, created_by, created_at)
  values (p_tenant, inventory.next_number(p_tenant, 'purchase_order'), p_supplier, v_warehouse, v_total,
    p_expected, p_notes, p_user, p_now)
  returning o.id, o.number into v_id, v_number;

  with lines as (
    insert into inventory.purchase_order_items as l (tenant_id, purchase_order_id, product_id, sku, product_name,
      quantity, unit_cost)
    select p_tenant, v_id, i.product_id, p.sku, p.name, i.quantity, coalesce(i.unit_cost, p.cost_price, 0)
    from rows from (jsonb_to_recordset(p_items) as (product_id bigint, quantity bigint, unit_cost numeric))
      with ordinality as i (product_id, quantity, unit_cost, position)
    join inventory.products p on p.tenant_id = p_tenant and p.id = i.product_id
    order by i.position
    returning l.product_id, l.unit_cost, l.id
  )
  insert into inventory.supplier_products as k (tenant_id, supplier_id, product_id, unit_cost, ordered_at)
  select distinct on (product_id) p_tenant, p_supplier, product_id, unit_cost, p_now from lines
  order by product_id, id desc
  on conflict (tenant_id, supplier_id, product_id) do update
    set unit_cost = excluded.unit_cost, ordered_at = greatest(k.ordered_at, excluded.ordered_at);
  perform inventory.add_purchase_order_event(p_tenant, v_id, 'purchase_order.created');
  return query select v_id, v_number, v_total;
end $$;

-- Locks a purchase order and returns its status.
create or replace function inventory.lock_purchase_order(p_tenant bigint, p_order bigint) returns text
language plpgsql as $$
declare
  v_status text;
begin
  select status into v_status from inventory.purchase_orders
  where tenant_id = p_tenant and id = p_order for no key update;
  if not found then perform platform.refuse('purchase_order_not_found'); end if;
  return v_status;
end $$;

-- Sets the status of a purchase order that has been locked. Nothing more is expected of one that `p_is_closed`.
create or replace function inventory.set_purchase_order_status(p_tenant bigint, p_order bigint, p_status text,
  p_is_closed boolean) returns void language sql as $$
  update inventory.purchase_orders set status = p_status where tenant_id = p_tenant and id = p_order;
  update inventory.purchase_order_items set is_open = false
  where p_is_closed and tenant_id = p_tenant and purchase_order_id = p_order;
$$;

create or replace function inventory.change_purchase_order_status(p_tenant bigint, p_order bigint, p_status text,
  p_statuses text[], p_is_closed boolean) returns void language plpgsql as $$
declare
  v_status text := inventory.lock_purchase_order(p_tenant, p_order);
begin
  if v_status <> all (p_statuses) then
    perform platform.refuse('purchase_order_status_not_allowed',
      jsonb_build_object('status', v_status, 'wanted', p_status));
  end if;
  perform inventory.set_purchase_order_status(p_tenant, p_order, p_status, p_is_closed);
  perform inventory.add_purchase_order_event(p_tenant, p_order, 'purchase_order.updated');
end $$;

-- Receives units of a purchase order that has one of `p_statuses`, and sets its status to `p_partly` or, if all that was
-- ordered is there, `p_wholly`. Locks the order, and what `receive_lines` does.
create or replace function inventory.receive_delivery(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_items jsonb, p_statuses text[], p_partly text, p_wholly text, out received_lines bigint, out inventory_updated bigint,
  out status text, out backorders_filled bigint, out filled_backorders jsonb)
language plpgsql as $$
declare
  v_status text := inventory.lock_purchase_order(p_tenant, p_order);
  v_received record;
begin
  if v_status <> all (p_statuses) then
    perform platform.refuse('purchase_order_not_receivable', jsonb_build_object('status', v_status));
  end if;
  select * into v_received from inventory.receive_lines(p_tenant, p_user, p_now, p_order, p_items);
  received_lines := v_received.received_lines;
  inventory_updated := v_received.inventory_updated;
  backorders_filled := v_received.backorders_filled;
  filled_backorders := v_received.filled_backorders;
  status := case when v_received.is_complete then p_wholly else p_partly end;
  perform inventory.set_purchase_order_status(p_tenant, p_order, status, v_received.is_complete);
  perform inventory.add_purchase_order_event(p_tenant, p_order, 'purchase_order.received');
end $$;

-- Takes delivered units into stock. `p_items`: {purchase_order_item_id | product_id, quantity, batch_number?,
-- lot_number?, manufacture_date?, expiry_date?, serials?}. The units of a product go to its lines in their order. The
-- caller has locked the purchase order; locks products and stock rows. Returns how many entries were received, how many
-- stock rows changed, whether everything that was ordered is there, how many order lines that waited got units, and the
-- first 100 of these. A refusal says `at` which entry, counted from 0.
create or replace function inventory.receive_lines(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_items jsonb) returns table (received_lines bigint, inventory_updated bigint, is_complete boolean,
  backorders_filled bigint, filled_backorders jsonb) language plpgsql as $$
#variable_conflict use_variable
declare
  v_warehouse bigint := (select warehouse_id from inventory.purchase_orders where tenant_id = p_tenant and id = p_order);
  v_products bigint[];
  v_changes jsonb := '[]';
  v_waiting bigint[];
  v_reserved bigint[];
  v_reason text;
  v_values text;
  i record;
begin
  select array_agg(coalesce(x.product_id, c.product_id) order by c.position) into v_products
  from rows from (jsonb_to_recordset(p_items) as (purchase_order_item_id bigint, product_id bigint))
    with ordinality as c (purchase_order_item_id, product_id, position)
  left join inventory.purchase_order_items x
    on x.tenant_id = p_tenant and x.purchase_order_id = p_order and x.id = c.purchase_order_item_id;
  if array_position(v_products, null) is not null then
    perform platform.refuse('purchase_line_not_found');
  end if;
  perform inventory.lock_stock(p_tenant, v_products, array_fill(v_warehouse, array[cardinality(v_products)]));
  select array_agg(x.id), array_agg(x.quantity_reserved) into v_waiting, v_reserved from inventory.order_items x
  where x.tenant_id = p_tenant and x.product_id = any (v_products) and x.warehouse_id = v_warehouse
    and x.quantity_backordered > 0;
  received_lines := 0;
  begin
    for i in
      select e.entry, e.product, e.position
      from unnest(array(select jsonb_array_elements(p_items)), v_products) with ordinality e (entry, product, position)
      join inventory.products p on p.tenant_id = p_tenant and p.id = e.product
      order by e.product, e.position
    loop
      v_changes := v_changes || inventory.receive_entry(p_tenant, p_user, p_now, p_order, v_warehouse, i.product, i.entry);
      received_lines := received_lines + 1;
    end loop;
  exception when sqlstate 'TRREF' then
    get stacked diagnostics v_reason = message_text, v_values = pg_exception_detail;
    perform platform.refuse(v_reason, v_values::jsonb || jsonb_build_object('at', i.position - 1));
  end;

  perform inventory.move_stock(p_tenant, p_user, p_now, v_changes);
  inventory_updated := (select count(distinct id) from unnest(v_products) id);
  is_complete := not exists (select from inventory.purchase_order_items x
    where x.tenant_id = p_tenant and x.purchase_order_id = p_order and x.quantity > x.quantity_received);
  select f.lines, f.first_lines into backorders_filled, filled_backorders
  from inventory.filled_backorders(p_tenant, v_waiting, v_reserved) f;
  return next;
end $$;

-- Receives one entry of a delivery: adds its batch or its serials, counts its units as received, and returns the changes of
-- stock, one for each line that they go to.
create or replace function inventory.receive_entry(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint,
  p_warehouse bigint, p_product bigint, p_entry jsonb) returns jsonb language plpgsql as $$
declare
  v_batch bigint;
  i record;
begin
  select c.*, p.sku, p.tracking_type into i
  from jsonb_to_record(p_entry) as c (purchase_order_item_id bigint, product_id bigint, quantity bigint, batch_number text,
    lot_number text, manufacture_date date, expiry_date date, serials jsonb), inventory.products p
  where p.tenant_id = p_tenant and p.id = p_product;
  if i.product_id <> p_product then
    perform platform.refuse('line_of_another_product', jsonb_build_object('line', i.purchase_order_item_id));
  end if;
  if i.batch_number is not null or i.lot_number is not null or i.manufacture_date is not null
    or i.expiry_date is not null then
    if i.tracking_type <> 'batch' then
      perform platform.refuse('not_tracked_by_batch', jsonb_build_object('sku', i.sku));
    elsif i.batch_number is null then
      perform platform.refuse('batch_number_missing');
    end if;
    v_batch := inventory.batch_for(p_tenant, p_now, p_product, i.batch_number, i.lot_number, i.manufacture_date,
      i.expiry_date, null);
  end if;
  if i.tracking_type = 'serial' then
    if coalesce(jsonb_array_length(nullif(i.serials, 'null')), 0) <> i.quantity then
      perform platform.refuse('serials_missing', jsonb_build_object('sku', i.sku));
    end if;
    perform inventory.add_serials(p_tenant, p_user, p_now, p_product, p_warehouse,
      array(select jsonb_array_elements_text(i.serials)), null, p_order, null);
  elsif jsonb_typeof(i.serials) = 'array' then
    perform platform.refuse('not_tracked_by_serial', jsonb_build_object('sku', i.sku));
  end if;
  return inventory.receive_units(p_tenant, p_order, p_warehouse, p_product, i.sku, i.purchase_order_item_id, i.quantity,
    v_batch);
end $$;

-- Counts units as received: on the given line, or else on the lines of the product in their order.
create or replace function inventory.receive_units(p_tenant bigint, p_order bigint, p_warehouse bigint, p_product bigint,
  p_sku text, p_line bigint, p_units bigint, p_batch bigint) returns jsonb language plpgsql as $$
declare
  v_changes jsonb := '[]';
  v_left bigint := p_units;
  v_units bigint;
  l record;
begin
  for l in
    select x.id, x.quantity - x.quantity_received as open, x.unit_cost from inventory.purchase_order_items x
    where x.tenant_id = p_tenant and x.purchase_order_id = p_order and x.product_id = p_product
      and x.id = coalesce(p_line, x.id) and x.quantity > x.quantity_received
    order by x.id
  loop
    v_units := least(v_left, l.open);
    update inventory.purchase_order_items x set quantity_received = x.quantity_received + v_units
    where x.tenant_id = p_tenant and x.id = l.id;
    v_changes := v_changes || jsonb_build_object('product_id', p_product, 'warehouse_id', p_warehouse, 'quantity',
      v_units, 'type', 'receive', 'unit_cost', l.unit_cost, 'reference_id', p_order, 'batch_id', p_batch);
    v_left := v_left - v_units;
    exit when v_left = 0;
  end loop;
  if v_left > 0 then
    if not exists (select from inventory.purchase_order_items x
      where x.tenant_id = p_tenant and x.purchase_order_id = p_order and x.product_id = p_product) then
      perform platform.refuse('purchase_line_not_found');
    end if;
    perform platform.refuse('more_than_ordered', jsonb_build_object('units', v_left, 'sku', p_sku));
  end if;
  return v_changes;
end $$;

-- How many of the order lines that waited have got units since, and the first 100 of them. `p_reserved` is what they had.
-- The caller has locked their stock, so nobody else gives them any.
create or replace function inventory.filled_backorders(p_tenant bigint, p_waiting bigint[], p_reserved bigint[],
  out lines bigint, out first_lines jsonb) language plpgsql as $$
begin
  select count(*), coalesce(jsonb_agg(f.line order by f.place) filter (where f.place <= 100), '[]')
  into lines, first_lines
  from (
    select row_number() over (order by x.id) as place, jsonb_build_object('order_id', x.order_id,
      'order_number', inventory.order_number(o.number), 'order_item_id', x.id, 'product_id', x.product_id, 'sku', x.sku,
      'product_name', x.product_name, 'quantity', x.quantity_reserved - w.reserved,
      'quantity_backordered', x.quantity_backordered) as line
    from unnest(p_waiting, p_reserved) w (id, reserved)
    join inventory.order_items x on x.tenant_id = p_tenant and x.id = w.id and x.quantity_reserved > w.reserved
    join inventory.orders o on o.tenant_id = p_tenant and o.id = x.order_id) f;
end $$;
