-- The rows that held something at the end of a day, as the ledger said, a page of them. Products that were deleted since
-- were wherever it says. A function, to keep its plan: to plan it took longer than to run it. Without the planner's
-- memory of looked-up rows, which it would make large enough for all products before the first of a page is found.
create function inventory.valued_then(p_tenant bigint, p_day date, p_limit bigint, p_offset bigint)
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
    where k.tenant_id = p_tenant and b.balance > 0
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
    where w.tenant_id = p_tenant and b.balance > 0
    order by d.id, w.id limit p_limit + p_offset)
    order by 1, 2 limit p_limit offset p_offset) s (product_id, warehouse_id, balance);
end $$;
