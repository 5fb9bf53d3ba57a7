-- x
create or replace function inventory.count_new_products() returns trigger language plpgsql as $$
begin
  insert into inventory.product_blocks (tenant_id, block, total, active)
  select tenant_id, ordinal / 500, count(*), count(*) filter (where is_active) from added group by 1, 2 order by 1, 2
  on conflict (tenant_id, block) do update
    set total = product_blocks.total + excluded.total, active = product_blocks.active + excluded.active;
  return null;
end $$;
create or replace trigger count_new_products after insert on inventory.products
  referencing new table as added for each statement execute function inventory.count_new_products();

create or replace function inventory.count_changed_product() returns trigger language plpgsql as $$
begin
  update inventory.product_blocks set
    total = total + (new.deleted_at is null)::int - (old.deleted_at is null)::int,
    active = active + (new.deleted_at is null and new.is_active)::int - (old.deleted_at is null and old.is_active)::int
  where tenant_id = new.tenant_id and block = new.ordinal / 500;
  return null;
end $$;
create or replace trigger count_changed_product after update of is_active, deleted_at on inventory.products
  for each row when (old.is_active <> new.is_active or old.deleted_at is distinct from new.deleted_at)
  execute function inventory.count_changed_product();
