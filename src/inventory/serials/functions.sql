-- How many units of an order line can still come back: for a product tracked by serial number, those of its serials that
-- are out with the line; for any other, no limit.
create or replace function inventory.serials_out(p_tenant bigint, p_product bigint, p_item bigint) returns bigint
language sql stable as $$
  select case when p.tracking_type <> 'serial' then 9223372036854775807 else (
    select count(*) from inventory.serials s
    where s.tenant_id = p_tenant and s.order_item_id = p_item and s.status in ('sold', 'returned')) end
  from inventory.products p where p.tenant_id = p_tenant and p.id = p_product
$$;

-- Returns the ids of the serials that one change moves: those it names; else the oldest on hand, or the last that went
-- out with the line that comes back. The caller has locked the stock row.
create or replace function inventory.pick_serials(p_tenant bigint, p_product bigint, p_warehouse bigint, p_item bigint,
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
    if found then perform platform.refuse('serial_not_found', jsonb_build_object('serial', missing)); end if;
    if jsonb_array_length(p_named) <> p_units then
      perform platform.refuse('serials_do_not_match_units',
        jsonb_build_object('named', jsonb_array_length(p_named), 'units', p_units));
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
    perform platform.refuse(case when p_outward then 'too_few_serials_in_stock' else 'too_few_serials_shipped' end,
      jsonb_build_object('found', coalesce(cardinality(picked), 0), 'units', p_units, 'sku', sku));
  end if;
  return picked;
end $$;

-- Updates the serials that changes move, and writes it down in their lives, with the `reason` of the change or its notes.
-- New serials are already where they belong.
create or replace function inventory.move_serials(p_tenant bigint, p_user bigint, p_now timestamptz, p_changes jsonb)
returns void language sql as $$
  with moved as (
    update inventory.serials s set
      status = case c.type when 'shipment' then 'sold' when 'return' then 'in_stock' when 'adjustment'
        then coalesce(c.serial_status, 'scrapped') else s.status end,
      warehouse_id = c.warehouse_id,
      order_item_id = case c.type when 'shipment' then c.order_item_id when 'transfer_in' then s.order_item_id end,
      left_at_cost = case when c.quantity < 0 then p.average_cost end
    from jsonb_to_recordset(p_changes) as c (product_id bigint, warehouse_id bigint, quantity bigint, type text,
        serial_ids jsonb, serial_status text, order_item_id bigint, notes text, reason text), inventory.products p
    where jsonb_typeof(c.serial_ids) = 'array' and c.type <> 'transfer_out'
      and s.tenant_id = p_tenant and s.id in (select jsonb_array_elements(c.serial_ids)::bigint)
      and p.tenant_id = p_tenant and p.id = c.product_id
    returning s.id, s.status, s.warehouse_id, c.type, c.order_item_id, nullif(coalesce(c.reason, c.notes), '') as notes
  )
  insert into inventory.serial_history (tenant_id, serial_id, type, status, warehouse_id, order_item_id, notes,
    created_by, created_at)
  select p_tenant, id, case
      when type = 'shipment' then 'shipped'
      when type = 'return' and order_item_id is not null then 'returned'
      when type = 'return' then 'restocked'
      when type = 'transfer_in' then 'transferred'
      else status end, status, warehouse_id, order_item_id, notes, p_user, p_now
  from moved
$$;

-- Adds units of a product that is tracked by serial number, on hand, and returns their ids. `p_notes` stay with the serials,
-- `p_reason` and the purchase order with the beginning of their lives. The caller has locked the stock row and moves the
-- quantity.
create or replace function inventory.add_serials(p_tenant bigint, p_user bigint, p_now timestamptz, p_product bigint,
  p_warehouse bigint, p_numbers text[], p_notes text, p_purchase_order bigint, p_reason text)
returns bigint[] language plpgsql as $$
declare
  ids bigint[];
  known text;
begin
  perform from inventory.products where tenant_id = p_tenant and id = p_product and tracking_type = 'serial';
  if not found then perform platform.refuse('product_without_serials'); end if;
  select n into known from unnest(p_numbers) n group by n having count(*) > 1 limit 1;
  if found then perform platform.refuse('serial_given_twice', jsonb_build_object('serial', known)); end if;
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
    perform platform.refuse('serial_exists', jsonb_build_object('serial', known));
  end if;
  insert into inventory.serial_history (tenant_id, serial_id, type, status, warehouse_id, purchase_order_id, notes,
    created_by, created_at)
  select p_tenant, id, 'received', 'in_stock', p_warehouse, p_purchase_order, p_reason, p_user, p_now
  from unnest(ids) id order by id;
  return ids;
end $$;
