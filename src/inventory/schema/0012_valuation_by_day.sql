-- By how much the stock's value, and the number of stock rows that hold something, changed on each of the tenant's own
-- days. Added up to a day they are its valuation. Kept in the way of the sales: appended, and folded each minute.
create table inventory.valuation_changes (
  tenant_id bigint not null,
  day date not null,
  value numeric not null,
  items bigint not null
);
create index valuation_changes_by_tenant on inventory.valuation_changes (tenant_id);
create table inventory.valuation_days (
  tenant_id bigint not null,
  day date not null,
  value numeric not null,
  items bigint not null,
  primary key (tenant_id, day)
);

create function inventory.fold_valuation_changes() returns void language sql as $$
  with taken as (delete from inventory.valuation_changes returning *)
  insert into inventory.valuation_days as t
  select tenant_id, day, sum(value), sum(items) from taken group by 1, 2 order by 1, 2
  on conflict (tenant_id, day) do update set value = t.value + excluded.value, items = t.items + excluded.items
$$;

-- The cost is looked up row by row: a join would be planned while the tables are empty, and read all products for ever.
create function inventory.worth_of(p_tenant bigint, p_products bigint[], out value numeric, out items bigint)
language sql stable as $$
  select coalesce(sum(round(s.quantity * (select p.average_cost from inventory.products p
      where p.tenant_id = p_tenant and p.id = s.product_id), 2)), 0),
    count(*) filter (where s.quantity > 0)
  from inventory.stock s where s.tenant_id = p_tenant and s.product_id = any (p_products)
$$;

-- The same, recounted: how each product closed on each day on which it moved, in all its warehouses, compared with the
-- time before. Null is everybody. No loop within a loop, which the planner takes on a table it knows nothing about yet.
create function inventory.valuation_in_ledger(p_tenant bigint)
returns table (tenant_id bigint, day date, value numeric, items bigint) language sql stable set enable_nestloop = off as $$
  with moved as (
    select tenant_id, product_id, day, balance, average_cost,
      lead(day, 1, 'infinity') over (partition by tenant_id, product_id, warehouse_id order by created_at, id) as until,
      lead(day, 1, 'infinity') over (partition by tenant_id, product_id order by created_at, id) as product_until
    from (
      select m.*, (m.created_at at time zone t.timezone)::date as day
      from inventory.movements m join inventory.tenants t on t.id = m.tenant_id
      where p_tenant is null or m.tenant_id = p_tenant) m
  ), costs as (
    select tenant_id, product_id, day, average_cost from moved where day < product_until
  ), held as (
    select tenant_id, product_id, day, until, balance from moved where day < until
  ), closed as (
    select c.tenant_id, c.product_id, c.day, sum(round(h.balance * c.average_cost, 2)) as value,
      count(*) filter (where h.balance > 0) as items
    from costs c join held h on h.tenant_id = c.tenant_id and h.product_id = c.product_id
      and h.day <= c.day and c.day < h.until
    group by 1, 2, 3
  )
  select c.tenant_id, c.day, sum(c.value_change), sum(c.items_change)::bigint from (
    select tenant_id, day, value - lag(value, 1, 0.0) over product as value_change,
      items - lag(items, 1, 0::bigint) over product as items_change
    from closed window product as (partition by tenant_id, product_id order by day)) c
  group by 1, 2 having (sum(c.value_change), sum(c.items_change)) <> (0, 0)
$$;

insert into inventory.valuation_days select * from inventory.valuation_in_ledger(null);

-- Which products were still there on a day that has passed.
create index products_deleted on inventory.products (tenant_id, deleted_at) where deleted_at is not null;

-- As before, and keeps the valuation.
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
    perform inventory.refuse(400,
      format('Insufficient stock of %s in %s: %s available', short.sku, short.warehouse, short.available));
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
    select p_tenant, inventory.sales_day(p_tenant, moment), m.product_id, m.warehouse_id, -sum(m.quantity),
      -sum(m.quantity) * i.unit_price, -round(sum(m.quantity * m.unit_cost), 2)
    from moved m join inventory.order_items i on i.tenant_id = p_tenant and i.id = m.order_item_id
    group by i.id, m.product_id, m.warehouse_id, i.unit_price
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

-- As before, and with the valuation.
create or replace function inventory.rebuild_sales(p_tenant bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7482003, p_tenant::int);
  delete from inventory.sales_changes where tenant_id = p_tenant;
  delete from inventory.sales_days where tenant_id = p_tenant;
  delete from inventory.product_sales_days where tenant_id = p_tenant;
  delete from inventory.product_sales_months where tenant_id = p_tenant;
  insert into inventory.sales_changes (tenant_id, day, product_id, warehouse_id, units, revenue, cogs)
  select tenant_id, day, product_id, warehouse_id, units, revenue, cogs from inventory.sales_in_ledger
  where tenant_id = p_tenant;
  delete from inventory.valuation_changes where tenant_id = p_tenant;
  delete from inventory.valuation_days where tenant_id = p_tenant;
  insert into inventory.valuation_days select * from inventory.valuation_in_ledger(p_tenant);
  perform inventory.fold_sales_changes();
end $$;
