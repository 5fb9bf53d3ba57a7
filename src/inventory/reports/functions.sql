-- Sums of sales and of the stock's value by day. They are appended by `move_stock` and added up by a job every minute.

-- The tenant's day of a moment, for sales and valuations. Takes a shared advisory lock: while the time zone of the tenant
-- changes, and with it all days (`rebuild_sales`), movements wait.
create or replace function inventory.sales_day(p_tenant bigint, p_now timestamptz) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7482003, p_tenant::int);
  return inventory.today(p_tenant, p_now);
end $$;

-- Adds appended sales to the sums by day, by product and day, and by product and month.
create or replace function inventory.fold_sales_changes() returns void language sql as $$
  with taken as (delete from inventory.sales_changes returning *),
  days as (
    insert into inventory.sales_days as t
    select tenant_id, day, sum(units), sum(revenue), sum(cogs) from taken group by 1, 2 order by 1, 2
    on conflict (tenant_id, day) do update
      set units = t.units + excluded.units, revenue = t.revenue + excluded.revenue, cogs = t.cogs + excluded.cogs
  ), months as (
    insert into inventory.product_sales_months as t
    select tenant_id, date_trunc('month', day)::date, product_id, sum(units), sum(revenue), sum(cogs)
    from taken group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, month, product_id) do update
      set units = t.units + excluded.units, revenue = t.revenue + excluded.revenue, cogs = t.cogs + excluded.cogs
  )
  insert into inventory.product_sales_days as t
  select tenant_id, day, product_id, warehouse_id, sum(units), sum(revenue), sum(cogs)
  from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, day, product_id, warehouse_id) do update
    set units = t.units + excluded.units, revenue = t.revenue + excluded.revenue, cogs = t.cogs + excluded.cogs
$$;

-- The same sums computed from the ledger: one row for each time a line was shipped or came back.
create or replace view inventory.sales_in_ledger as
  select m.tenant_id, (m.created_at at time zone t.timezone)::date as day, m.product_id, m.warehouse_id, m.units,
    inventory.line_amount(i, m.units) as revenue, m.cogs
  from (
    select tenant_id, order_item_id, product_id, warehouse_id, movement_type, created_at,
      -sum(quantity)::bigint as units, -round(sum(quantity * unit_cost), 2) as cogs
    from inventory.movements where order_item_id is not null group by 1, 2, 3, 4, 5, 6) m
  join inventory.tenants t on t.id = m.tenant_id
  join inventory.order_items i on i.tenant_id = m.tenant_id and i.id = m.order_item_id;

-- Computes sales and valuations anew after the time zone has changed: every sale belongs to another day. Takes the
-- advisory lock of `sales_day` exclusively.
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

-- Adds appended changes of the valuation to the sums by day.
create or replace function inventory.fold_valuation_changes() returns void language sql as $$
  with taken as (delete from inventory.valuation_changes returning *)
  insert into inventory.valuation_days as t
  select tenant_id, day, sum(value), sum(items) from taken group by 1, 2 order by 1, 2
  on conflict (tenant_id, day) do update set value = t.value + excluded.value, items = t.items + excluded.items
$$;

-- Changes of the valuation by day, computed from the ledger: how each product closed on each day on which it moved, in
-- all its warehouses, compared with the time before. Null means all tenants. Nested loops are off, because the planner
-- would choose them on a table that it knows nothing about yet.
create or replace function inventory.valuation_in_ledger(p_tenant bigint)
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

-- Some of the stock rows that held something at the end of a day, according to the ledger, from after a row on; also those
-- of products that were deleted since. A function, to keep its plan: planning it took longer than running it. Memoize is off, because
-- the planner would size its cache for all products before the first row of a page is found.
create or replace function inventory.valued_then(p_tenant bigint, p_day date, p_after_product bigint,
  p_after_warehouse bigint, p_limit bigint, p_offset bigint)
returns table (product_id bigint, warehouse_id bigint, quantity bigint, unit_cost numeric)
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_memoize = off as $$
#variable_conflict use_column
declare
  v_end timestamptz := inventory.day_start(p_tenant, p_day + 1);
begin
  return query
  select s.product_id, s.warehouse_id, s.balance, (
    select m.average_cost from inventory.movements m
    where m.tenant_id = p_tenant and m.product_id = s.product_id and m.created_at < v_end
    order by m.created_at desc, m.id desc limit 1)
  from (
    (select k.product_id, k.warehouse_id, b.balance
    from inventory.stock k, lateral (
      select m.balance from inventory.movements m
      where m.tenant_id = p_tenant and m.product_id = k.product_id and m.warehouse_id = k.warehouse_id
        and m.created_at < v_end
      order by m.created_at desc, m.id desc limit 1) b
    where k.tenant_id = p_tenant and (k.product_id, k.warehouse_id) > (p_after_product, p_after_warehouse)
      and b.balance > 0
    order by k.product_id, k.warehouse_id limit p_limit + p_offset)
    union all
    (select d.id, w.id, b.balance
    -- On their own, so that their index is used.
    from (select id from inventory.products
        where tenant_id = p_tenant and deleted_at is not null and deleted_at >= v_end offset 0) d,
      inventory.warehouses w, lateral (
      select m.balance from inventory.movements m
      where m.tenant_id = p_tenant and m.product_id = d.id and m.warehouse_id = w.id and m.created_at < v_end
      order by m.created_at desc, m.id desc limit 1) b
    where w.tenant_id = p_tenant and (d.id, w.id) > (p_after_product, p_after_warehouse) and b.balance > 0
    order by d.id, w.id limit p_limit + p_offset)
    order by 1, 2 limit p_limit offset p_offset) s (product_id, warehouse_id, balance);
end $$;
