import { type Check, ofTenant } from './checks-store.ts'

const lists: Check = (q, t) => q`
  with counted as (
    select tenant_id, 'products' as list, count(*) as total from inventory.products
    where deleted_at is null and ${ofTenant(q, t)} group by 1
    union all
    select tenant_id, 'active_products', count(*) from inventory.products
    where deleted_at is null and is_active and ${ofTenant(q, t)} group by 1
    union all
    select tenant_id, 'customers', count(*) from inventory.customers
    where deleted_at is null and ${ofTenant(q, t)} group by 1
  ), kept as (
    select tenant_id, list, sum(total) as total from inventory.list_sums where ${ofTenant(q, t)} group by 1, 2
  )
  select 'the total of a list is how many rows it has' as invariant,
    format('%s of tenant %s', list, tenant_id) as subject,
    format('%s counted, there are %s', coalesce(k.total, 0), coalesce(c.total, 0)) as detail
  from kept k full join counted c using (tenant_id, list) where coalesce(k.total, 0) <> coalesce(c.total, 0)
  union all
  select 'the total of a list is how many rows it has', format('requests of API key %s', k.id),
    format('%s counted, there are %s', k.logged_requests, coalesce(u.total, 0))
  from inventory.api_keys k
  left join (select tenant_id, api_key_id, count(*) as total from inventory.api_usage where ${ofTenant(q, t)} group by 1, 2) u
    on u.tenant_id = k.tenant_id and u.api_key_id = k.id
  where ${ofTenant(q, t, q`k.tenant_id`)} and k.logged_requests <> coalesce(u.total, 0)`

const sums: Check = (q, t) => q`
  select 'the sums of a warehouse are those of its stock' as invariant, format('warehouse %s', warehouse_id) as subject,
    format('kept: %s, counted: %s', k, c) as detail
  from (select warehouse_id, total_skus, total_quantity, total_value, low_stock, out_of_stock, movements
    from inventory.warehouse_sums where ${ofTenant(q, t)}) k
  full join (
    select warehouse_id, s.skus, s.units, s.value, s.low, s.gone, coalesce(m.movements, 0) as movements from (
      select warehouse_id, count(*) as skus, sum(quantity) as units, sum(round(quantity * p.average_cost, 2)) as value,
        count(*) filter (where quantity <= reorder_level) as low, count(*) filter (where quantity = 0) as gone
      from inventory.stock s join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
      where ${ofTenant(q, t, q`s.tenant_id`)} group by 1) s
    full join (select warehouse_id, count(*) as movements from inventory.movements where ${ofTenant(q, t)} group by 1) m
      using (warehouse_id)) c using (warehouse_id)
  where (coalesce(k.total_skus, 0), coalesce(k.total_quantity, 0), coalesce(k.total_value, 0),
      coalesce(k.low_stock, 0), coalesce(k.out_of_stock, 0), coalesce(k.movements, 0))
    <> (coalesce(c.skus, 0), coalesce(c.units, 0), coalesce(c.value, 0), coalesce(c.low, 0), coalesce(c.gone, 0),
      coalesce(c.movements, 0))`

const sales: Check = (q, t) => q`
  with kept as (
    select tenant_id, day, sum(units) as units, sum(revenue) as revenue, sum(cogs) as cogs from (
      select tenant_id, day, units, revenue, cogs from inventory.sales_days where ${ofTenant(q, t)}
      union all select tenant_id, day, units, revenue, cogs from inventory.sales_changes where ${ofTenant(q, t)}) k
    group by 1, 2
  ), by_product as (
    select tenant_id, day, sum(units) as units, sum(revenue) as revenue, sum(cogs) as cogs from (
      select tenant_id, day, units, revenue, cogs from inventory.product_sales_days where ${ofTenant(q, t)}
      union all select tenant_id, day, units, revenue, cogs from inventory.sales_changes where ${ofTenant(q, t)}) k
    group by 1, 2
  ), counted as (
    select tenant_id, day, sum(units) as units, sum(revenue) as revenue, sum(cogs) as cogs
    from inventory.sales_in_ledger where ${ofTenant(q, t)} group by 1, 2
  )
  select 'the sales of a day are those in the ledger' as invariant,
    format('tenant %s on %s', tenant_id, day) as subject,
    format('kept: %s, by product: %s, counted: %s', k, p, c) as detail
  from kept k full join by_product p using (tenant_id, day) full join counted c using (tenant_id, day)
  where (k.units, k.revenue, k.cogs) is distinct from (c.units, c.revenue, c.cogs)
    or (p.units, p.revenue, p.cogs) is distinct from (c.units, c.revenue, c.cogs)`

const valuations: Check = (q, t) => q`
  with kept as (
    select tenant_id, day, sum(value) as value, sum(items) as items from (
      select * from inventory.valuation_days where ${ofTenant(q, t)}
      union all select * from inventory.valuation_changes where ${ofTenant(q, t)}) k
    group by 1, 2 having (sum(value), sum(items)) <> (0, 0)
  )
  select 'the valuation of a day is that of the ledger' as invariant,
    format('tenant %s on %s', tenant_id, day) as subject, format('kept: %s, counted: %s', k, c) as detail
  from kept k full join inventory.valuation_in_ledger(${t}) c using (tenant_id, day)
  where (k.value, k.items) is distinct from (c.value, c.items)`

/** What the totals and sums that are maintained must agree on. */
export const totalChecks: Check[] = [lists, sums, sales, valuations]
