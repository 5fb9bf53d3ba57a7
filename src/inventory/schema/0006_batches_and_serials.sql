create table inventory.batches (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  batch_number text not null,
  lot_number text,
  manufacture_date date,
  expiry_date date,
  notes text,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint batches_number_key unique (tenant_id, product_id, batch_number),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id)
);
create index batches_by_expiry on inventory.batches (tenant_id, expiry_date, id) where expiry_date is not null;

-- What each warehouse holds of a batch; changed by movements alone. What no batch explains is the unbatched rest.
create table inventory.batch_stock (
  tenant_id bigint not null,
  batch_id bigint not null,
  warehouse_id bigint not null,
  product_id bigint not null,
  quantity bigint not null check (quantity >= 0),
  primary key (tenant_id, batch_id, warehouse_id),
  foreign key (tenant_id, batch_id) references inventory.batches,
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id)
) with (fillfactor = 70);
create index batch_stock_to_pick on inventory.batch_stock (tenant_id, product_id, warehouse_id) where quantity > 0;
alter table inventory.movements add foreign key (tenant_id, batch_id) references inventory.batches;

-- A unit with a number of its own. `in_stock` and `reserved` ones are on hand in their warehouse.
create table inventory.serials (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  serial_number text not null,
  warehouse_id bigint not null,
  status text not null check (status in ('in_stock', 'reserved', 'sold', 'returned', 'scrapped')),
  notes text,
  -- The line that it was shipped with, until it is back in stock, and what it cost when it left.
  order_item_id bigint,
  left_at_cost numeric(20, 6),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint serials_number_key unique (tenant_id, product_id, serial_number),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id),
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  foreign key (tenant_id, order_item_id) references inventory.order_items (tenant_id, id)
) with (fillfactor = 80);
create index serials_by_place on inventory.serials (tenant_id, product_id, warehouse_id, status, id);
create index serials_by_status on inventory.serials (tenant_id, status, id);
create index serials_of_line on inventory.serials (tenant_id, order_item_id, id) where order_item_id is not null;

create function inventory.today(p_tenant bigint, p_now timestamptz) returns date language sql stable as $$
  select (p_now at time zone timezone)::date from inventory.tenants where id = p_tenant
$$;

-- How many units of a line can still come back: all that were shipped, or the serials that are out with it.
create function inventory.serials_out(p_tenant bigint, p_product bigint, p_item bigint) returns bigint
language sql stable as $$
  select case when p.tracking_type <> 'serial' then 9223372036854775807 else (
    select count(*) from inventory.serials s
    where s.tenant_id = p_tenant and s.order_item_id = p_item and s.status in ('sold', 'returned')) end
  from inventory.products p where p.tenant_id = p_tenant and p.id = p_product
$$;

-- The serials that one change moves, as ids: those it names, else the oldest on hand, or the last that went out
-- with the line that comes back.
create function inventory.pick_serials(p_tenant bigint, p_product bigint, p_warehouse bigint, p_item bigint,
  p_named jsonb, p_units bigint, p_outward boolean, p_taken bigint[]) returns bigint[] language plpgsql as $$
declare
  picked bigint[];
  missing text;
  sku text;
begin
  if p_named is not null and jsonb_typeof(p_named) = 'array' then
    select n.value into missing from jsonb_array_elements_text(p_named) n
    where not exists (select from inventory.serials s
      where s.tenant_id = p_tenant and s.product_id = p_product and s.serial_number = n.value) limit 1;
    if found then perform inventory.refuse(404, format('Serial %s not found', missing)); end if;
    if jsonb_array_length(p_named) <> p_units then
      perform inventory.refuse(400, format('%s serials are named for %s units', jsonb_array_length(p_named), p_units));
    end if;
  end if;
  select array_agg(id) into picked from (
    select s.id from inventory.serials s
    where s.tenant_id = p_tenant and s.product_id = p_product and s.id <> all (p_taken)
      and (p_named is null or jsonb_typeof(p_named) <> 'array' or s.serial_number in (select jsonb_array_elements_text(p_named)))
      and case when p_outward then s.warehouse_id = p_warehouse and s.status = 'in_stock'
        else s.order_item_id = p_item and s.status in ('sold', 'returned') end
    order by case when p_outward then s.id else -s.id end limit p_units) s;
  if coalesce(cardinality(picked), 0) < p_units then
    select p.sku into sku from inventory.products p where p.tenant_id = p_tenant and p.id = p_product;
    perform inventory.refuse(400, format('Only %s of %s serials of %s are %s', coalesce(cardinality(picked), 0), p_units,
      sku, case when p_outward then 'in stock there' else 'out with this line' end));
  end if;
  return picked;
end $$;

-- Says of each change which batches and serials it moves, under the locks of its stock rows. A change may name a
-- `batch_id` or `serials` (their numbers); one with `to_warehouse_id` is a transfer and becomes two.
-- Otherwise shipments take the earliest expiry first and nothing expired, other removals the unbatched rest and then
-- the earliest expiry, and a return goes back to the batches it came from. What is added without a batch stays without.
create function inventory.detail_changes(p_tenant bigint, p_now timestamptz, p_changes jsonb) returns jsonb
language plpgsql as $$
declare
  today date := inventory.today(p_tenant, p_now);
  result jsonb := '[]';
  taken jsonb := '{}';
  serials bigint[] := '{}';
  place text := '';
  picked bigint[];
  units bigint;
  rest bigint;
  part jsonb;
  parts jsonb[];
  c record;
  b record;
begin
  for c in
    select e.value as entry, x.*, p.tracking_type, p.sku
    from jsonb_array_elements(p_changes) with ordinality e (value, position)
    cross join lateral jsonb_to_record(e.value) as x (product_id bigint, warehouse_id bigint, quantity bigint, type text,
      batch_id bigint, serials jsonb, serial_ids jsonb, order_item_id bigint, to_warehouse_id bigint)
    join inventory.products p on p.tenant_id = p_tenant and p.id = x.product_id
    order by x.product_id, x.warehouse_id, x.batch_id nulls last, jsonb_typeof(x.serials) nulls last, e.position
  loop
    if place <> format('%s/%s', c.product_id, c.warehouse_id) then
      place := format('%s/%s', c.product_id, c.warehouse_id);
      taken := '{}';
      serials := '{}';
    end if;
    if c.batch_id is not null and c.tracking_type <> 'batch' then
      perform inventory.refuse(400, format('%s is not tracked by batch', c.sku));
    end if;
    if jsonb_typeof(c.serials) = 'array' and c.tracking_type <> 'serial' then
      perform inventory.refuse(400, format('%s is not tracked by serial number', c.sku));
    end if;
    parts := '{}';

    if c.tracking_type = 'serial' and c.serial_ids is null and (c.quantity < 0 or c.type = 'return') then
      picked := inventory.pick_serials(p_tenant, c.product_id, c.warehouse_id, c.order_item_id, c.serials,
        abs(c.quantity), c.quantity < 0, serials);
      serials := serials || picked;
      parts := array[c.entry || jsonb_build_object('serial_ids', to_jsonb(picked))];

    elsif c.batch_id is not null then
      select x.id, x.product_id, coalesce(s.quantity, 0) - coalesce((taken ->> x.id::text)::bigint, 0) as units into b
      from inventory.batches x left join inventory.batch_stock s
        on s.tenant_id = x.tenant_id and s.batch_id = x.id and s.warehouse_id = c.warehouse_id
      where x.tenant_id = p_tenant and x.id = c.batch_id;
      if not found then perform inventory.refuse(404, 'Batch not found'); end if;
      if b.product_id <> c.product_id then
        perform inventory.refuse(400, format('Batch %s is not of %s', c.batch_id, c.sku));
      end if;
      if b.units + c.quantity < 0 then
        perform inventory.refuse(400, format('Batch %s has only %s units there', c.batch_id, b.units));
      end if;
      taken := taken || jsonb_build_object(b.id::text, coalesce((taken ->> b.id::text)::bigint, 0) - c.quantity);
      parts := array[c.entry];

    elsif c.tracking_type = 'batch' and (c.quantity < 0 or c.type = 'return') then
      rest := abs(c.quantity);
      for b in
        select * from (
          select s.batch_id, s.quantity as units, x.expiry_date, 1 as rank from inventory.batch_stock s
          join inventory.batches x on x.tenant_id = s.tenant_id and x.id = s.batch_id
          where c.quantity < 0 and s.tenant_id = p_tenant and s.product_id = c.product_id
            and s.warehouse_id = c.warehouse_id and s.quantity > 0
            and (c.type <> 'shipment' or coalesce(x.expiry_date >= today, true))
          union all
          select null, s.quantity - coalesce((select sum(o.quantity) from inventory.batch_stock o
              where o.tenant_id = p_tenant and o.product_id = c.product_id and o.warehouse_id = c.warehouse_id), 0),
            null, case when c.type = 'shipment' then 2 else 0 end
          from inventory.stock s where c.quantity < 0
            and s.tenant_id = p_tenant and s.product_id = c.product_id and s.warehouse_id = c.warehouse_id
          union all
          select m.batch_id, -sum(m.quantity), null, -max(m.id) from inventory.movements m
          where c.quantity > 0 and m.tenant_id = p_tenant and m.order_item_id = c.order_item_id
            and m.batch_id is not null
          group by m.batch_id) candidates
        order by rank, expiry_date nulls last, batch_id
      loop
        units := least(rest, b.units - coalesce((taken ->> coalesce(b.batch_id, 0)::text)::bigint, 0));
        continue when units <= 0;
        taken := taken || jsonb_build_object(coalesce(b.batch_id, 0)::text,
          coalesce((taken ->> coalesce(b.batch_id, 0)::text)::bigint, 0) + units);
        parts := parts || (c.entry || jsonb_build_object('batch_id', b.batch_id, 'quantity', case when c.quantity < 0 then -units else units end));
        rest := rest - units;
        exit when rest = 0;
      end loop;
      if rest > 0 and c.quantity < 0 then
        perform inventory.refuse(400, format('Insufficient stock of %s: %s units are %s', c.sku, rest,
          case when c.type = 'shipment' then 'expired or not there' else 'not there' end));
      elsif rest > 0 then
        parts := parts || (c.entry || jsonb_build_object('quantity', rest));
      end if;

    else
      parts := array[c.entry];
    end if;

    foreach part in array parts loop
      result := result || part;
      if c.to_warehouse_id is not null then
        result := result || (part || jsonb_build_object('type', 'transfer_in', 'warehouse_id', c.to_warehouse_id,
          'quantity', -(part ->> 'quantity')::bigint));
      end if;
    end loop;
  end loop;
  return result;
end $$;

-- Lets the serials of a move follow it. New ones are already where they belong.
create function inventory.move_serials(p_tenant bigint, p_changes jsonb) returns void language sql as $$
  update inventory.serials s set
    status = case c.type when 'shipment' then 'sold' when 'return' then 'in_stock' when 'adjustment'
      then coalesce(c.serial_status, 'scrapped') else s.status end,
    warehouse_id = c.warehouse_id,
    order_item_id = case c.type when 'shipment' then c.order_item_id when 'transfer_in' then s.order_item_id end,
    left_at_cost = case when c.quantity < 0 then p.average_cost end
  from jsonb_to_recordset(p_changes) as c (product_id bigint, warehouse_id bigint, quantity bigint, type text,
      serial_ids jsonb, serial_status text, order_item_id bigint), inventory.products p
  where jsonb_typeof(c.serial_ids) = 'array' and c.type <> 'transfer_out'
    and s.tenant_id = p_tenant and s.id in (select jsonb_array_elements(c.serial_ids)::bigint)
    and p.tenant_id = p_tenant and p.id = c.product_id
$$;

-- New units of a product that is tracked by serial number, on hand. The caller moves the quantity.
create function inventory.add_serials(p_tenant bigint, p_now timestamptz, p_product bigint, p_warehouse bigint,
  p_numbers text[], p_notes text) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
  known text;
begin
  perform from inventory.products where tenant_id = p_tenant and id = p_product and tracking_type = 'serial';
  if not found then perform inventory.refuse(400, 'This product is not tracked by serial number'); end if;
  select n into known from unnest(p_numbers) n group by n having count(*) > 1 limit 1;
  if found then perform inventory.refuse(409, format('Serial %s is given twice', known)); end if;
  with added as (
    insert into inventory.serials (tenant_id, product_id, serial_number, warehouse_id, status, notes, created_at)
    select p_tenant, p_product, n, p_warehouse, 'in_stock', p_notes, p_now
    from unnest(p_numbers) with ordinality as u (n, position) order by position
    on conflict on constraint serials_number_key do nothing
    returning id, serial_number)
  select array_agg(id order by id) into ids from added;
  if coalesce(cardinality(ids), 0) < cardinality(p_numbers) then
    select s.serial_number into known from inventory.serials s
    where s.tenant_id = p_tenant and s.product_id = p_product and s.serial_number = any (p_numbers)
      and not s.id = any (coalesce(ids, '{}')) limit 1;
    perform inventory.refuse(409, format('Serial %s already exists', known));
  end if;
  return ids;
end $$;

-- The life of one serial outside orders. Leaving stock and coming back are movements.
create function inventory.change_serial(p_tenant bigint, p_user bigint, p_now timestamptz, p_serial bigint, p_to text)
returns void language plpgsql as $$
declare
  s record;
  v_from text;
  change jsonb;
begin
  select product_id, warehouse_id into s from inventory.serials where tenant_id = p_tenant and id = p_serial;
  if not found then perform inventory.refuse(404, 'Serial not found'); end if;
  perform inventory.lock_stock(p_tenant, array[s.product_id], array[s.warehouse_id]);
  select * into s from inventory.serials where tenant_id = p_tenant and id = p_serial for no key update;
  -- It may have been moved to another warehouse before the lock was ours; the product is ours all the same.
  perform inventory.lock_stock(p_tenant, array[s.product_id], array[s.warehouse_id]);
  v_from := s.status;
  if (v_from, p_to) not in (('in_stock', 'reserved'), ('reserved', 'in_stock'), ('reserved', 'sold'),
    ('sold', 'returned'), ('returned', 'in_stock'), ('returned', 'scrapped'), ('in_stock', 'scrapped')) then
    perform inventory.refuse(400, format('Cannot change status from %s to %s', v_from, p_to));
  end if;

  if p_to = 'reserved' then
    update inventory.stock set reserved_quantity = reserved_quantity + 1
    where tenant_id = p_tenant and product_id = s.product_id and warehouse_id = s.warehouse_id
      and reserved_quantity < quantity;
    if not found then perform inventory.refuse(400, 'All units there are promised to orders'); end if;
  elsif v_from = 'reserved' then
    update inventory.stock set reserved_quantity = reserved_quantity - 1
    where tenant_id = p_tenant and product_id = s.product_id and warehouse_id = s.warehouse_id;
  end if;

  change := jsonb_build_object('product_id', s.product_id, 'warehouse_id', s.warehouse_id, 'reference_id', p_serial,
    'serial_ids', jsonb_build_array(p_serial), 'notes', format('Serial %s %s', s.serial_number, p_to));
  if (v_from, p_to) in (('reserved', 'sold'), ('in_stock', 'scrapped')) then
    perform inventory.move_stock(p_tenant, p_user, p_now, jsonb_build_array(change
      || jsonb_build_object('quantity', -1, 'type', 'adjustment', 'serial_status', p_to)));
  elsif (v_from, p_to) = ('returned', 'in_stock') then
    perform inventory.move_stock(p_tenant, p_user, p_now, jsonb_build_array(change
      || jsonb_build_object('quantity', 1, 'type', 'return', 'unit_cost', s.left_at_cost)));
  else
    update inventory.serials set status = p_to,
      order_item_id = case when p_to = 'scrapped' then null else order_item_id end
    where tenant_id = p_tenant and id = p_serial;
    perform inventory.fill_backorders(p_tenant, array[s.product_id], array[s.warehouse_id]);
  end if;
end $$;

-- The batch of that number, made if it is new. A known one must not be told other dates.
create function inventory.batch_for(p_tenant bigint, p_now timestamptz, p_product bigint, p_number text, p_lot text,
  p_made date, p_expires date, p_notes text) returns bigint language plpgsql as $$
declare
  b record;
begin
  insert into inventory.batches (tenant_id, product_id, batch_number, lot_number, manufacture_date, expiry_date, notes,
    created_at)
  values (p_tenant, p_product, p_number, p_lot, p_made, p_expires, p_notes, p_now)
  on conflict on constraint batches_number_key do nothing;
  select * into b from inventory.batches x
  where x.tenant_id = p_tenant and x.product_id = p_product and x.batch_number = p_number for no key update;
  if b.expiry_date <> p_expires or b.manufacture_date <> p_made or b.lot_number <> p_lot then
    perform inventory.refuse(400, format('Batch %s is known with other dates or another lot', p_number));
  end if;
  update inventory.batches x set lot_number = coalesce(x.lot_number, p_lot),
    manufacture_date = coalesce(x.manufacture_date, p_made), expiry_date = coalesce(x.expiry_date, p_expires)
  where x.tenant_id = p_tenant and x.id = b.id and (p_lot is not null and x.lot_number is null
    or p_made is not null and x.manufacture_date is null or p_expires is not null and x.expiry_date is null);
  return b.id;
end $$;
