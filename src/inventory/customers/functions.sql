-- x
create or replace function inventory.count_new_customers() returns trigger language plpgsql as $$
begin
  insert into inventory.customer_blocks as b (tenant_id, block, total)
  select tenant_id, ordinal / 500, count(*) from added group by 1, 2 order by 1, 2
  on conflict (tenant_id, block) do update set total = b.total + excluded.total;
  return null;
end $$;
create or replace trigger count_new_customers after insert on inventory.customers
  referencing new table as added for each statement execute function inventory.count_new_customers();

create or replace function inventory.count_deleted_customer() returns trigger language plpgsql as $$
begin
  update inventory.customer_blocks set total = total - 1
  where tenant_id = new.tenant_id and block = new.ordinal / 500;
  return null;
end $$;
create or replace trigger count_deleted_customer after update of deleted_at on inventory.customers
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function inventory.count_deleted_customer();
