-- Counts a new or deleted customer for the total of the list of customers. Appends, and locks nothing.
create or replace function inventory.count_customer() returns trigger language plpgsql as $$
begin
  insert into inventory.list_changes (tenant_id, list, change)
  values (new.tenant_id, 'customers', case when new.deleted_at is null then 1 else -1 end);
  return null;
end $$;
create or replace trigger count_new_customer after insert on inventory.customers
  for each row execute function inventory.count_customer();
create or replace trigger count_deleted_customer after update of deleted_at on inventory.customers
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function inventory.count_customer();
