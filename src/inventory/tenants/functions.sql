-- The total of each list, including changes that have not been added to it yet.
create or replace view inventory.list_sums as
  select tenant_id, list, total from inventory.list_totals
  union all
  select tenant_id, list, change from inventory.list_changes;

-- Adds the appended changes to the totals. Locks the totals concerned, ascending. Run by a job every minute.
create or replace function inventory.fold_list_changes() returns void language sql as $$
  with taken as (delete from inventory.list_changes returning *)
  insert into inventory.list_totals as t
  select tenant_id, list, sum(change) from taken group by 1, 2 order by 1, 2
  on conflict (tenant_id, list) do update set total = t.total + excluded.total
$$;
