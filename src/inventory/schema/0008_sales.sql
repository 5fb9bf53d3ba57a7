-- What was shipped, less what came back, by the tenant's own day. Written with the movements it sums up, appended so
-- that nobody stands in line, and folded each minute into rows that reports read: by day, by product and day, and by
-- product and month.
create table inventory.sales_changes (
  tenant_id bigint not null,
  day date not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null
);
create index sales_changes_by_tenant on inventory.sales_changes (tenant_id);

create table inventory.sales_days (
  tenant_id bigint not null,
  day date not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null,
  primary key (tenant_id, day)
);
create table inventory.product_sales_days (
  tenant_id bigint not null,
  day date not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null,
  primary key (tenant_id, day, product_id, warehouse_id)
);
create table inventory.product_sales_months (
  tenant_id bigint not null,
  month date not null,
  product_id bigint not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null,
  primary key (tenant_id, month, product_id)
);

-- The tenant's day of a moment. Shared lock: while somebody changes the time zone, and with it all days, sales wait.
create function inventory.sales_day(p_tenant bigint, p_now timestamptz) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7482003, p_tenant::int);
  return inventory.today(p_tenant, p_now);
end $$;

create function inventory.fold_sales_changes() returns void language sql as $$
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

-- The same sums, straight from the ledger: one row for each time a line was shipped or came back.
create view inventory.sales_in_ledger as
  select m.tenant_id, (m.created_at at time zone t.timezone)::date as day, m.product_id, m.warehouse_id,
    -sum(m.quantity)::bigint as units, -sum(m.quantity) * i.unit_price as revenue,
    -round(sum(m.quantity * m.unit_cost), 2) as cogs
  from inventory.movements m
  join inventory.tenants t on t.id = m.tenant_id
  join inventory.order_items i on i.tenant_id = m.tenant_id and i.id = m.order_item_id
  group by m.tenant_id, t.timezone, m.product_id, m.warehouse_id, i.id, i.unit_price, m.movement_type, m.created_at;

-- After the time zone has changed, every sale belongs to another day.
create function inventory.rebuild_sales(p_tenant bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7482003, p_tenant::int);
  delete from inventory.sales_changes where tenant_id = p_tenant;
  delete from inventory.sales_days where tenant_id = p_tenant;
  delete from inventory.product_sales_days where tenant_id = p_tenant;
  delete from inventory.product_sales_months where tenant_id = p_tenant;
  insert into inventory.sales_changes (tenant_id, day, product_id, warehouse_id, units, revenue, cogs)
  select tenant_id, day, product_id, warehouse_id, units, revenue, cogs from inventory.sales_in_ledger
  where tenant_id = p_tenant;
  perform inventory.fold_sales_changes();
end $$;
