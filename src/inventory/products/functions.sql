-- Counts new products for the totals of the lists of products. Appends, and locks nothing.
create or replace function inventory.count_new_products() returns trigger language plpgsql as $$
begin
  insert into inventory.list_changes (tenant_id, list, change)
  select tenant_id, 'products', count(*) from added group by 1
  union all
  select tenant_id, 'active_products', count(*) from added where is_active group by 1;
  return null;
end $$;
create or replace trigger count_new_products after insert on inventory.products
  referencing new table as added for each statement execute function inventory.count_new_products();

-- The same for a product that is deleted, taken off sale or put back.
create or replace function inventory.count_changed_product() returns trigger language plpgsql as $$
begin
  insert into inventory.list_changes (tenant_id, list, change)
  select new.tenant_id, c.list, c.change
  from (values
    ('products', (new.deleted_at is null)::int - (old.deleted_at is null)::int),
    ('active_products', (new.deleted_at is null and new.is_active)::int - (old.deleted_at is null and old.is_active)::int)
  ) c (list, change)
  where c.change <> 0;
  return null;
end $$;
create or replace trigger count_changed_product after update of is_active, deleted_at on inventory.products
  for each row when (old.is_active <> new.is_active or old.deleted_at is distinct from new.deleted_at)
  execute function inventory.count_changed_product();
