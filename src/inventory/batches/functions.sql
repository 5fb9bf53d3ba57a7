-- Decides which batches and serials each change of `move_stock` moves, and returns the changes with `batch_id` or
-- `serial_ids`, split where one change takes from several batches. The caller has locked the stock rows.
--
-- A change may name a `batch_id` or `serials` (their numbers); one with `to_warehouse_id` is a transfer and becomes two.
-- Otherwise shipments take the earliest expiry first and nothing expired; other removals take unbatched stock and then the
-- earliest expiry; a return goes back to the batches it came from. What is added without a batch stays without.
create or replace function inventory.detail_changes(p_tenant bigint, p_now timestamptz, p_changes jsonb) returns jsonb
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
      perform platform.refuse('not_tracked_by_batch', jsonb_build_object('sku', c.sku));
    end if;
    if jsonb_typeof(c.serials) = 'array' and c.tracking_type <> 'serial' then
      perform platform.refuse('not_tracked_by_serial', jsonb_build_object('sku', c.sku));
    end if;
    parts := '{}';

    if c.tracking_type = 'serial' and c.serial_ids is null and (c.quantity < 0 or c.type = 'return') then
      picked := inventory.pick_serials(p_tenant, c.product_id, c.warehouse_id, c.order_item_id, c.serials,
        abs(c.quantity), c.quantity < 0, serials);
      serials := serials || picked;
      parts := array[c.entry || jsonb_build_object('serial_ids', to_jsonb(picked))];

    elsif c.batch_id is not null then
      perform inventory.require_batch(p_tenant, c.product_id, c.warehouse_id, c.batch_id, c.quantity,
        coalesce((taken ->> c.batch_id::text)::bigint, 0));
      taken := taken || jsonb_build_object(c.batch_id::text,
        coalesce((taken ->> c.batch_id::text)::bigint, 0) - c.quantity);
      parts := array[c.entry];

    elsif c.tracking_type = 'batch' and (c.quantity < 0 or c.type = 'return') then
      rest := abs(c.quantity);
      for b in select * from inventory.batches_to_move(p_tenant, today, c.product_id, c.warehouse_id, c.quantity < 0,
        c.type, c.order_item_id)
      loop
        units := least(rest, b.units - coalesce((taken ->> coalesce(b.batch_id, 0)::text)::bigint, 0));
        continue when units <= 0;
        taken := taken || jsonb_build_object(coalesce(b.batch_id, 0)::text,
          coalesce((taken ->> coalesce(b.batch_id, 0)::text)::bigint, 0) + units);
        parts := parts || (c.entry || jsonb_build_object('batch_id', b.batch_id, 'quantity',
          case when c.quantity < 0 then -units else units end));
        rest := rest - units;
        exit when rest = 0;
      end loop;
      if rest > 0 and c.quantity < 0 then
        perform platform.refuse(case when c.type = 'shipment' then 'units_expired_or_missing' else 'units_missing' end,
          jsonb_build_object('sku', c.sku, 'units', rest));
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

-- Refuses a change of a batch that is not of the product, or of which fewer units are there besides those already taken.
create or replace function inventory.require_batch(p_tenant bigint, p_product bigint, p_warehouse bigint, p_batch bigint,
  p_quantity bigint, p_taken bigint) returns void language plpgsql as $$
declare
  b record;
begin
  select x.batch_number, x.product_id, coalesce(s.quantity, 0) - p_taken as units into b
  from inventory.batches x left join inventory.batch_stock s
    on s.tenant_id = x.tenant_id and s.batch_id = x.id and s.warehouse_id = p_warehouse
  where x.tenant_id = p_tenant and x.id = p_batch;
  if not found then perform platform.refuse('batch_not_found'); end if;
  if b.product_id <> p_product then
    perform platform.refuse('batch_of_another_product', (select jsonb_build_object('batch', b.batch_number, 'sku', p.sku)
      from inventory.products p where p.tenant_id = p_tenant and p.id = p_product));
  end if;
  if b.units + p_quantity < 0 then
    perform platform.refuse('batch_has_fewer', jsonb_build_object('batch', b.batch_number, 'units', b.units));
  end if;
end $$;

-- The batches that a change takes units from, or gives them back to, with as many as each allows, in the order in which it
-- does. Without a `batch_id`: the units in no batch.
create or replace function inventory.batches_to_move(p_tenant bigint, p_today date, p_product bigint, p_warehouse bigint,
  p_outward boolean, p_type text, p_item bigint) returns table (batch_id bigint, units bigint) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  select batch_id, units::bigint from (
    select s.batch_id, s.quantity as units, x.expiry_date, 1 as rank from inventory.batch_stock s
    join inventory.batches x on x.tenant_id = s.tenant_id and x.id = s.batch_id
    where p_outward and s.tenant_id = p_tenant and s.product_id = p_product and s.warehouse_id = p_warehouse
      and s.quantity > 0 and (p_type <> 'shipment' or coalesce(x.expiry_date >= p_today, true))
    union all
    select null, s.quantity - coalesce((select sum(o.quantity) from inventory.batch_stock o
        where o.tenant_id = p_tenant and o.product_id = p_product and o.warehouse_id = p_warehouse), 0),
      null, case when p_type = 'shipment' then 2 else 0 end
    from inventory.stock s
    where p_outward and s.tenant_id = p_tenant and s.product_id = p_product and s.warehouse_id = p_warehouse
    union all
    select m.batch_id, -sum(m.quantity), null, -max(m.id) from inventory.movements m
    where not p_outward and m.tenant_id = p_tenant and m.order_item_id = p_item and m.batch_id is not null
    group by m.batch_id) candidates
  order by rank, expiry_date nulls last, batch_id;
end $$;

-- Returns the batch of that number, created if it is new. Locks it. Dates and lot may be completed but not contradicted,
-- and no batch expires before it was made.
create or replace function inventory.batch_for(p_tenant bigint, p_now timestamptz, p_product bigint, p_number text,
  p_lot text, p_made date, p_expires date, p_notes text) returns bigint language plpgsql as $$
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
    perform platform.refuse('batch_contradicted', jsonb_build_object('batch', p_number));
  end if;
  if coalesce(b.manufacture_date, p_made) > coalesce(b.expiry_date, p_expires) then
    perform platform.refuse('batch_expires_before_made', jsonb_build_object('batch', p_number));
  end if;
  update inventory.batches x set lot_number = coalesce(x.lot_number, p_lot),
    manufacture_date = coalesce(x.manufacture_date, p_made), expiry_date = coalesce(x.expiry_date, p_expires)
  where x.tenant_id = p_tenant and x.id = b.id and (p_lot is not null and x.lot_number is null
    or p_made is not null and x.manufacture_date is null or p_expires is not null and x.expiry_date is null);
  return b.id;
end $$;

-- The batch as `GET /api/batches/{id}` returns it.
create or replace function inventory.batch_document(p_tenant bigint, p_batch bigint) returns json
language sql stable as $$
  select json_build_object('id', b.id, 'product_id', b.product_id, 'sku', p.sku, 'product_name', p.name,
    'batch_number', b.batch_number, 'lot_number', b.lot_number, 'manufacture_date', b.manufacture_date,
    'expiry_date', b.expiry_date, 'quantity', coalesce(s.quantity, 0), 'stock', coalesce(s.stock, '[]'),
    'notes', b.notes, 'created_at', platform.iso_time(b.created_at))
  from inventory.batches b
  join inventory.products p on p.tenant_id = b.tenant_id and p.id = b.product_id
  cross join lateral (
    select sum(s.quantity)::bigint as quantity, json_agg(json_build_object('warehouse_id', s.warehouse_id,
      'warehouse_name', w.name, 'quantity', s.quantity) order by s.warehouse_id) as stock
    from inventory.batch_stock s join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id
    where s.tenant_id = b.tenant_id and s.batch_id = b.id and s.quantity > 0) s
  where b.tenant_id = p_tenant and b.id = p_batch
$$;

-- Writes down what happened to a batch, when its transaction ends: with the stock that came with it.
create or replace function inventory.apply_batch_change() returns trigger language plpgsql as $$
begin
  perform inventory.add_event(new.tenant_id, case tg_op when 'INSERT' then 'batch.created' else 'batch.updated' end,
    'batch/' || new.id, inventory.batch_document(new.tenant_id, new.id));
  return null;
end $$;
drop trigger if exists batch_created on inventory.batches;
create constraint trigger batch_created after insert on inventory.batches deferrable initially deferred
  for each row execute function inventory.apply_batch_change();
drop trigger if exists batch_updated on inventory.batches;
create constraint trigger batch_updated
  after update of batch_number, lot_number, manufacture_date, expiry_date, notes on inventory.batches
  deferrable initially deferred
  for each row when ((old.batch_number, old.lot_number, old.manufacture_date, old.expiry_date, old.notes)
    is distinct from (new.batch_number, new.lot_number, new.manufacture_date, new.expiry_date, new.notes))
  execute function inventory.apply_batch_change();

-- Writes down, once for each batch, that it expires within `p_days` days of the tenant's own calendar, or has expired as
-- recently, while some of it is on hand. Returns how many there were, at most `p_limit`. Locks the batches, and leaves those
-- that somebody is moving to the next time.
create or replace function inventory.announce_expiring(p_now timestamptz, p_days int, p_limit int) returns bigint
language sql as $$
  with due as (
    select b.tenant_id, b.id from inventory.batches b
    where not b.is_announced and b.expiry_date between p_now::date - p_days - 1 and p_now::date + p_days + 1
      and abs(b.expiry_date - inventory.today(b.tenant_id, p_now)) <= p_days
      and b.is_on_hand
    order by b.tenant_id, b.id limit p_limit for no key update skip locked
  ), announced as (
    update inventory.batches b set is_announced = true from due
    where b.tenant_id = due.tenant_id and b.id = due.id returning b.*
  ), written as (
    insert into platform.events (service, owner, type, subject, data)
    select 'inventory', b.tenant_id::text, 'batch.expiring', 'batch/' || b.id,
      inventory.batch_document(b.tenant_id, b.id)
    from announced b
    order by b.tenant_id, b.id
    returning 1
  )
  select count(*) from written
$$;
