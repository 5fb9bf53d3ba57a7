import type { Sql } from '#platform/db/database.ts'

/** Loads rows while the indexes for searches are away: making them afterwards takes a fraction of the time. */
export const withoutSearchIndexes = async (q: Sql, load: () => Promise<void>) => {
  const indexes = await q<{ name: string; definition: string }[]>`
    select format('%I.%I', schemaname, indexname) as name, indexdef as definition from pg_indexes
    where schemaname = 'inventory' and indexdef like '% USING gin %'`
  for (const { name } of indexes) await q.unsafe(`drop index ${name}`)
  await load()
  for (const { definition } of indexes) await q.unsafe(definition)
}

/** 100,000 products in 5 warehouses and a million movements that explain their stock. */
export const loadCatalogue = async (q: Sql, tenantId: number, userId: number, products = 100_000) => {
  const warehouses = 5
  const movementsPerRow = 2
  await q.unsafe(`
    set session_replication_role = replica;
    insert into inventory.warehouses (tenant_id, name, code, is_default, created_at)
      select ${tenantId}, 'Warehouse ' || n, 'W' || n, false, now() from generate_series(2, ${warehouses}) n;
    insert into inventory.products (tenant_id, name, sku, base_price, cost_price, tracking_type, total_stock,
        average_cost, created_at)
      select ${tenantId}, (array['Oak', 'Pine', 'Steel', 'Linen', 'Clay'])[1 + n % 5] || ' '
          || (array['chair', 'table', 'lamp', 'vase', 'shelf', 'bowl', 'rug'])[1 + n % 7] || ' ' || md5(n::text),
        'SKU-' || lpad(n::text, 6, '0'), 10 + n % 90, 5 + n % 40, 'none', ${warehouses * 1_000_000}, 5 + n % 40, now()
      from generate_series(1, ${products}) n;
    insert into inventory.list_totals
      values (${tenantId}, 'products', ${products}), (${tenantId}, 'active_products', ${products});
    insert into inventory.stock (tenant_id, product_id, warehouse_id, quantity, reorder_level)
      select p.tenant_id, p.id, w.id, 1000000, case when p.id % 100 = 0 then 1000000 else 10 end
      from inventory.products p join inventory.warehouses w using (tenant_id) where p.tenant_id = ${tenantId};
    insert into inventory.movements (tenant_id, product_id, warehouse_id, movement_type, quantity, balance, unit_cost,
        average_cost, created_by, created_at)
      select s.tenant_id, s.product_id, s.warehouse_id, 'receive', ${1_000_000 / movementsPerRow},
        n * ${1_000_000 / movementsPerRow}, p.average_cost, p.average_cost, ${userId}, now() - interval '60 days' + n * interval '1 day'
      from generate_series(1, ${movementsPerRow}) n
      cross join inventory.stock s join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
      where s.tenant_id = ${tenantId};
    insert into inventory.warehouse_totals
      select s.tenant_id, warehouse_id, count(*), sum(quantity), sum(round(quantity * average_cost, 2)),
        count(*) filter (where quantity <= reorder_level), 0, count(*) * ${movementsPerRow}
      from inventory.stock s join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
      where s.tenant_id = ${tenantId} group by 1, 2;
    insert into inventory.valuation_days select * from inventory.valuation_in_ledger(${tenantId});
    insert into inventory.sales_days
      select ${tenantId}, current_date - n, 300, 6000, 3000 from generate_series(0, 364) n;
    insert into inventory.product_sales_days
      select ${tenantId}, current_date - n, p.id, w.id, 1, 20, 10 from generate_series(0, 364) n,
        (select id from inventory.products where tenant_id = ${tenantId} order by id limit 300) p,
        (select min(id) as id from inventory.warehouses where tenant_id = ${tenantId}) w;
    insert into inventory.product_sales_months
      select tenant_id, date_trunc('month', day)::date, product_id, sum(units), sum(revenue), sum(cogs)
      from inventory.product_sales_days where tenant_id = ${tenantId} group by 1, 2, 3;
    delete from inventory.warehouse_changes;
    set session_replication_role = default`)
  await q.unsafe(
    'vacuum analyze inventory.products, inventory.stock, inventory.movements, inventory.list_totals, ' +
      'inventory.sales_days, inventory.product_sales_days, inventory.product_sales_months',
  )
}
