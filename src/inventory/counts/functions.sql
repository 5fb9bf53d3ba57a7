-- Counting: people enter what they see, and the ledger is corrected by the difference to what it said at that moment.

create or replace function inventory.count_number(p_number bigint) returns text language sql immutable as $$
  select 'CNT-' || inventory.padded(p_number)
$$;

-- The count as `GET /api/counts/{id}` returns it.
create or replace function inventory.count_document(p_count inventory.counts) returns json language sql stable as $$
  select json_build_object('id', p_count.id, 'count_number', inventory.count_number(p_count.number),
    'warehouse_id', p_count.warehouse_id, 'warehouse_name', (select w.name from inventory.warehouses w
      where w.tenant_id = p_count.tenant_id and w.id = p_count.warehouse_id),
    'category_id', p_count.category_id, 'category_name', (select c.name from inventory.categories c
      where c.tenant_id = p_count.tenant_id and c.id = p_count.category_id),
    'status', p_count.status, 'notes', p_count.notes, 'line_count', (select count(*) from inventory.count_lines l
      where l.tenant_id = p_count.tenant_id and l.count_id = p_count.id),
    'created_by_name', (select u.name from inventory.users u
      where u.tenant_id = p_count.tenant_id and u.id = p_count.created_by),
    'closed_by_name', (select u.name from inventory.users u
      where u.tenant_id = p_count.tenant_id and u.id = p_count.closed_by),
    'created_at', platform.iso_time(p_count.created_at), 'closed_at', platform.iso_time(p_count.closed_at))
$$;

create or replace function inventory.add_count_event(p_tenant bigint, p_count bigint, p_type text) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_tenant::text, p_type, 'count/' || c.id, inventory.count_document(c)
  from inventory.counts c where c.tenant_id = p_tenant and c.id = p_count;
end $$;

-- Opens a count and returns its id. Locks the number.
create or replace function inventory.open_count(p_tenant bigint, p_user bigint, p_now timestamptz, p_warehouse bigint,
  p_category bigint, p_notes text) returns bigint language plpgsql as $$
declare
  v_warehouse bigint;
  v_id bigint;
begin
  select w.id into v_warehouse from inventory.warehouses w
  where w.tenant_id = p_tenant and case when p_warehouse is null then w.is_default else w.id = p_warehouse end;
  if not found then perform platform.refuse('warehouse_not_found'); end if;
  perform from inventory.categories c where c.tenant_id = p_tenant and c.id = p_category;
  if p_category is not null and not found then perform platform.refuse('category_not_found'); end if;
  insert into inventory.counts (tenant_id, number, warehouse_id, category_id, notes, created_by, created_at)
  values (p_tenant, inventory.next_number(p_tenant, 'count'), v_warehouse, p_category, p_notes, p_user, p_now)
  returning id into v_id;
  perform inventory.add_count_event(p_tenant, v_id, 'count.created');
  return v_id;
end $$;

-- The categories of a count: its own and those below it. None, if everything is counted.
create or replace function inventory.count_categories(p_tenant bigint, p_category bigint) returns setof bigint
language sql stable as $$
  with recursive below as (
    select p_category as id where p_category is not null
    union
    select c.id from inventory.categories c join below b on c.tenant_id = p_tenant and c.parent_id = b.id
  )
  select id from below
$$;

-- What the ledger says is in a batch of a product, or, for an empty number, outside all batches.
create or replace function inventory.on_hand(p_tenant bigint, p_product bigint, p_warehouse bigint, p_tracking text,
  p_batch text) returns bigint language sql stable as $$
  select coalesce(case
    when p_batch <> '' then (select s.quantity from inventory.batches b
      join inventory.batch_stock s on s.tenant_id = b.tenant_id and s.batch_id = b.id and s.warehouse_id = p_warehouse
      where b.tenant_id = p_tenant and b.product_id = p_product and b.batch_number = p_batch)
    else (select s.quantity from inventory.stock s
      where s.tenant_id = p_tenant and s.product_id = p_product and s.warehouse_id = p_warehouse)
      - case when p_tracking = 'batch' then coalesce((select sum(o.quantity) from inventory.batch_stock o
        where o.tenant_id = p_tenant and o.product_id = p_product and o.warehouse_id = p_warehouse), 0)::bigint else 0 end
    end, 0)
$$;

-- Holds a count that is open, so that nobody reviews it meanwhile, and returns it. Others may enter at the same time.
create or replace function inventory.hold_open_count(p_tenant bigint, p_count bigint) returns inventory.counts
language plpgsql as $$
declare
  v_count inventory.counts;
begin
  select * into v_count from inventory.counts where tenant_id = p_tenant and id = p_count for share;
  if not found then perform platform.refuse('count_not_found'); end if;
  if v_count.status <> 'open' then
    perform platform.refuse('count_not_open', jsonb_build_object('status', v_count.status));
  end if;
  return v_count;
end $$;

-- Enters what was seen, and returns the ids of the lines. `p_entries`: {product_id, quantity?, mode, batch_number?,
-- serials?}. Holds the count (shared) and locks its lines, ascending by product and batch. Reads stock without a lock: the
-- moment of an entry is when it is read, and movements that commit later are later.
create or replace function inventory.enter_count(p_tenant bigint, p_user bigint, p_now timestamptz, p_count bigint,
  p_entries jsonb) returns bigint[] language plpgsql as $$
declare
  v_count inventory.counts := inventory.hold_open_count(p_tenant, p_count);
  v_lines bigint[] := '{}';
  v_line bigint;
  v_is_first boolean;
  e record;
begin
  for e in
    select x.product_id, x.quantity, x.mode, coalesce(x.batch_number, '') as batch_number,
      case when jsonb_typeof(x.serials) = 'array' then array(select jsonb_array_elements_text(x.serials)) end as serials,
      p.id is not null as is_known, p.sku, p.tracking_type as tracking, p.category_id
    from jsonb_array_elements(p_entries) with ordinality j (value, position)
    cross join lateral jsonb_to_record(j.value)
      as x (product_id bigint, quantity bigint, mode text, batch_number text, serials jsonb)
    left join inventory.products p on p.tenant_id = p_tenant and p.id = x.product_id and p.deleted_at is null
    order by x.product_id, coalesce(x.batch_number, ''), j.position
  loop
    if not e.is_known then perform platform.refuse('product_not_found'); end if;
    if v_count.category_id is not null and not coalesce(e.category_id = any (array(
      select inventory.count_categories(p_tenant, v_count.category_id))), false) then
      perform platform.refuse('product_outside_count', jsonb_build_object('sku', e.sku));
    end if;
    if e.batch_number <> '' and e.tracking <> 'batch' then
      perform platform.refuse('not_tracked_by_batch', jsonb_build_object('sku', e.sku));
    elsif e.serials is not null and e.tracking <> 'serial' then
      perform platform.refuse('not_tracked_by_serial', jsonb_build_object('sku', e.sku));
    elsif e.tracking = 'serial' and e.serials is null then
      perform platform.refuse('serials_to_count_missing', jsonb_build_object('sku', e.sku));
    elsif e.tracking <> 'serial' and e.quantity is null then
      perform platform.refuse('quantity_to_count_missing', jsonb_build_object('sku', e.sku));
    end if;

    insert into inventory.count_lines (tenant_id, count_id, product_id, batch_number, counted_at)
    values (p_tenant, p_count, e.product_id, e.batch_number, p_now) on conflict on constraint count_lines_key do nothing;
    v_is_first := found;
    select l.id into v_line from inventory.count_lines l
    where l.tenant_id = p_tenant and l.count_id = p_count and l.product_id = e.product_id
      and l.batch_number = e.batch_number for no key update;
    if e.tracking = 'serial' then
      perform inventory.enter_serials(p_tenant, v_count.warehouse_id, v_line, e.product_id, e.serials,
        v_is_first or e.mode = 'replace');
    else
      update inventory.count_lines l set counted = case e.mode when 'add' then l.counted else 0 end + e.quantity,
        expected = inventory.on_hand(p_tenant, e.product_id, v_count.warehouse_id, e.tracking, e.batch_number)
      where l.tenant_id = p_tenant and l.id = v_line;
    end if;
    update inventory.count_lines l set counted_by = p_user, counted_at = p_now
    where l.tenant_id = p_tenant and l.id = v_line;
    insert into inventory.count_entries (tenant_id, count_id, product_id, batch_number, mode, quantity, created_by, created_at)
    values (p_tenant, p_count, e.product_id, e.batch_number, e.mode, coalesce(cardinality(e.serials), e.quantity), p_user,
      p_now);
    v_lines := v_lines || v_line;
  end loop;
  perform inventory.add_count_event(p_tenant, p_count, 'count.updated');
  return v_lines;
end $$;

-- Adds serials that were seen to a line. `p_anew`: they are the first, or replace those before, and what is on hand now is
-- what should be seen. The caller has locked the line.
create or replace function inventory.enter_serials(p_tenant bigint, p_warehouse bigint, p_line bigint, p_product bigint,
  p_serials text[], p_anew boolean) returns void language plpgsql as $$
begin
  if p_anew then
    delete from inventory.count_serials where tenant_id = p_tenant and line_id = p_line;
    update inventory.count_lines l set expected = cardinality(s.ids), expected_serials = s.ids
    from (select array(select id from inventory.serials where tenant_id = p_tenant and product_id = p_product
      and warehouse_id = p_warehouse and status in ('in_stock', 'reserved') order by id) as ids) s
    where l.tenant_id = p_tenant and l.id = p_line;
  end if;
  insert into inventory.count_serials (tenant_id, line_id, serial_number)
  select distinct p_tenant, p_line, n from unnest(p_serials) n on conflict do nothing;
  update inventory.count_lines l set counted = (select count(*) from inventory.count_serials c
    where c.tenant_id = p_tenant and c.line_id = p_line) where l.tenant_id = p_tenant and l.id = p_line;
end $$;

-- Takes a line out of a count that is not closed, as if it had not been counted. Holds the count (shared).
create or replace function inventory.remove_count_line(p_tenant bigint, p_count bigint, p_line bigint) returns void
language plpgsql as $$
begin
  perform from inventory.counts where tenant_id = p_tenant and id = p_count and status = 'review' for share;
  if not found then perform inventory.hold_open_count(p_tenant, p_count); end if;
  delete from inventory.count_lines where tenant_id = p_tenant and count_id = p_count and id = p_line;
  if not found then perform platform.refuse('count_line_not_found'); end if;
  perform inventory.add_count_event(p_tenant, p_count, 'count.updated');
end $$;

-- The lines of a count with their differences. Of serials, those that should have been seen are missing unless they left
-- meanwhile, and those that were seen are found unless the ledger has them there by now. A posted line keeps what was posted.
create or replace function inventory.count_differences(p_tenant bigint, p_count bigint)
returns table (id bigint, product_id bigint, batch_number text, difference bigint, missing text[], found text[])
language sql stable as $$
  select l.id, l.product_id, l.batch_number,
    coalesce(l.difference, case when l.expected_serials is null then l.counted - l.expected
      else coalesce(cardinality(s.found), 0) - coalesce(cardinality(s.missing), 0) end),
    case when l.difference is null then s.missing else l.missing_serials end,
    case when l.difference is null then s.found else l.found_serials end
  from inventory.count_lines l
  join inventory.counts c on c.tenant_id = l.tenant_id and c.id = l.count_id
  left join lateral (
    select (select array_agg(x.serial_number order by x.id) from inventory.serials x
        where x.tenant_id = p_tenant and x.id = any (l.expected_serials) and x.warehouse_id = c.warehouse_id
          and x.status in ('in_stock', 'reserved') and not exists (select from inventory.count_serials n
            where n.tenant_id = p_tenant and n.line_id = l.id and n.serial_number = x.serial_number)) as missing,
      (select array_agg(n.serial_number order by n.serial_number) from inventory.count_serials n
        where n.tenant_id = p_tenant and n.line_id = l.id and not exists (select from inventory.serials x
          where x.tenant_id = p_tenant and x.product_id = l.product_id and x.serial_number = n.serial_number
            and (x.id = any (l.expected_serials)
              or x.warehouse_id = c.warehouse_id and x.status in ('in_stock', 'reserved')))) as found
    where l.expected_serials is not null) s on true
  where l.tenant_id = p_tenant and l.count_id = p_count
$$;

-- Gives a count that has one of `p_statuses` another status. Locks the count, and what `post_count` does.
create or replace function inventory.change_count_status(p_tenant bigint, p_user bigint, p_now timestamptz, p_count bigint,
  p_status text, p_statuses text[], p_is_closed boolean) returns void language plpgsql as $$
declare
  v_count inventory.counts;
begin
  select * into v_count from inventory.counts where tenant_id = p_tenant and id = p_count for no key update;
  if not found then perform platform.refuse('count_not_found'); end if;
  if v_count.status <> all (p_statuses) then
    perform platform.refuse('count_status_not_allowed',
      jsonb_build_object('status', v_count.status, 'wanted', p_status));
  end if;
  if p_status = 'posted' then perform inventory.post_count(v_count, p_user, p_now); end if;
  update inventory.counts set status = p_status, closed_by = case when p_is_closed then p_user end,
    closed_at = case when p_is_closed then p_now end
  where tenant_id = p_tenant and id = p_count;
  perform inventory.add_count_event(p_tenant, p_count, case p_status
    when 'posted' then 'count.posted' when 'cancelled' then 'count.cancelled' else 'count.updated' end);
end $$;

-- Moves stock by the differences of a count, and keeps them with its lines. Lines of products that were deleted since have
-- nothing left to correct. Where fewer are left than are reserved, the newest reservations become backorders. The caller has
-- locked the count; locks products and stock rows.
create or replace function inventory.post_count(p_count inventory.counts, p_user bigint, p_now timestamptz) returns void
language plpgsql as $$
declare
  v_tenant bigint := p_count.tenant_id;
  v_notes text := 'Stock count ' || inventory.count_number(p_count.number);
  v_products bigint[];
  v_wrong record;
  v_short record;
begin
  select array_agg(distinct d.product_id) into v_products
  from inventory.count_differences(v_tenant, p_count.id) d
  join inventory.products p on p.tenant_id = v_tenant and p.id = d.product_id and p.deleted_at is null
  where d.difference <> 0 or d.missing is not null or d.found is not null;
  if v_products is not null then
    perform inventory.lock_stock(v_tenant, v_products, array_fill(p_count.warehouse_id, array[cardinality(v_products)]));
  end if;
  -- Under the locks nothing moves any more, so this is what is posted.
  update inventory.count_lines l set missing_serials = d.missing, found_serials = d.found,
    difference = case when d.product_id = any (v_products) then d.difference else 0 end
  from inventory.count_differences(v_tenant, p_count.id) d where l.tenant_id = v_tenant and l.id = d.id;
  if v_products is null then return; end if;

  select p.sku, l.counted, l.expected, x.on_hand into v_wrong
  from inventory.count_lines l join inventory.products p on p.tenant_id = v_tenant and p.id = l.product_id
  cross join lateral (select inventory.on_hand(v_tenant, l.product_id, p_count.warehouse_id, p.tracking_type,
    l.batch_number) as on_hand) x
  where l.tenant_id = v_tenant and l.count_id = p_count.id and l.difference < 0 and x.on_hand + l.difference < 0
  order by l.id limit 1;
  if found then perform platform.refuse('more_left_than_counted', to_jsonb(v_wrong)); end if;
  select x.serial_number as serial, x.status, w.name as warehouse into v_wrong
  from inventory.count_lines l join inventory.serials x on x.tenant_id = v_tenant and x.product_id = l.product_id
    and x.serial_number = any (l.found_serials)
  join inventory.warehouses w on w.tenant_id = v_tenant and w.id = x.warehouse_id
  where l.tenant_id = v_tenant and l.count_id = p_count.id and l.product_id = any (v_products)
  order by x.id limit 1;
  if found then perform platform.refuse('serial_elsewhere', to_jsonb(v_wrong)); end if;

  -- A serial that somebody had reserved by hand, and that is missing, is reserved no more.
  update inventory.stock s set reserved_quantity = s.reserved_quantity - r.units
  from (select l.product_id, count(*) as units from inventory.count_lines l
    join inventory.serials x on x.tenant_id = v_tenant and x.product_id = l.product_id
      and x.serial_number = any (l.missing_serials) and x.status = 'reserved'
    where l.tenant_id = v_tenant and l.count_id = p_count.id group by 1) r
  where s.tenant_id = v_tenant and s.product_id = r.product_id and s.warehouse_id = p_count.warehouse_id;
  select array_agg(s.product_id) as products, array_agg(s.warehouse_id) as warehouses,
    array_agg(s.reserved_quantity - s.quantity - d.net) as units into v_short
  from (select product_id, sum(difference)::bigint as net from inventory.count_lines
    where tenant_id = v_tenant and count_id = p_count.id group by 1) d
  join inventory.stock s on s.tenant_id = v_tenant and s.product_id = d.product_id
    and s.warehouse_id = p_count.warehouse_id and s.reserved_quantity > s.quantity + d.net;
  if v_short.products is not null then
    perform inventory.release_newest(v_tenant, p_user, p_now, v_short.products, v_short.warehouses, v_short.units);
  end if;

  perform inventory.post_plain_lines(p_count, p_user, p_now, v_notes);
  perform inventory.post_tracked_lines(p_count, p_user, p_now, v_notes);
end $$;

create or replace function inventory.post_plain_lines(p_count inventory.counts, p_user bigint, p_now timestamptz,
  p_notes text) returns void language plpgsql as $$
declare
  v_changes inventory.change[];
begin
  select array_agg(row(l.product_id, p_count.warehouse_id, l.difference, 'adjustment', null, null, null, p_count.id,
    p_notes)::inventory.change order by l.product_id) into v_changes
  from inventory.count_lines l join inventory.products p on p.tenant_id = l.tenant_id and p.id = l.product_id
  where l.tenant_id = p_count.tenant_id and l.count_id = p_count.id and l.difference <> 0 and p.tracking_type = 'none';
  if v_changes is not null then
    perform inventory.add_movements(p_count.tenant_id, p_user, p_now, v_changes);
  end if;
end $$;

-- Batches that were not known are added, and so are serials; missing serials are scrapped.
create or replace function inventory.post_tracked_lines(p_count inventory.counts, p_user bigint, p_now timestamptz,
  p_notes text) returns void language plpgsql as $$
declare
  v_changes jsonb := '[]';
  v_change jsonb;
  l record;
begin
  for l in
    select x.*, p.sku, p.tracking_type from inventory.count_lines x
    join inventory.products p on p.tenant_id = x.tenant_id and p.id = x.product_id
    where x.tenant_id = p_count.tenant_id and x.count_id = p_count.id and p.tracking_type <> 'none'
      and p.deleted_at is null order by x.product_id, x.id
  loop
    v_change := jsonb_build_object('product_id', l.product_id, 'warehouse_id', p_count.warehouse_id, 'type', 'adjustment',
      'reference_id', p_count.id, 'notes', p_notes);
    if l.tracking_type = 'serial' then
      -- It was counted by quantity before its product was tracked by serial number.
      if l.expected_serials is null and l.difference <> 0 then
        perform platform.refuse('serials_to_count_missing', jsonb_build_object('sku', l.sku));
      end if;
      if l.missing_serials is not null then
        v_changes := v_changes || (v_change || jsonb_build_object('quantity', -cardinality(l.missing_serials),
          'serial_ids', (select jsonb_agg(s.id order by s.id) from inventory.serials s where s.tenant_id = l.tenant_id
            and s.product_id = l.product_id and s.serial_number = any (l.missing_serials))));
      end if;
      if l.found_serials is not null then
        perform inventory.add_serials(l.tenant_id, p_user, p_now, l.product_id, p_count.warehouse_id, l.found_serials,
          p_notes, null, p_notes);
        v_changes := v_changes || (v_change || jsonb_build_object('quantity', cardinality(l.found_serials)));
      end if;
    elsif l.difference <> 0 then
      v_changes := v_changes || (v_change || jsonb_build_object('quantity', l.difference, 'batch_id',
        case when l.batch_number <> '' then inventory.batch_for(l.tenant_id, p_now, l.product_id, l.batch_number, null,
          null, null, null) end));
    end if;
  end loop;
  if v_changes <> '[]' then
    perform inventory.move_stock(p_count.tenant_id, p_user, p_now, v_changes);
  end if;
end $$;
