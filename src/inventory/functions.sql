-- What the functions of all modules share.

-- Refuses what a client asked for: the status travels in the SQLSTATE (IN404), the text is public.
create or replace function inventory.refuse(p_status int, p_message text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'IN' || p_status, message = p_message;
end $$;

-- Refuses to change rows that are kept for good.
create or replace function inventory.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on %.% is not allowed', tg_op, tg_table_schema, tg_table_name;
end $$;

-- Orders, order lines and movements refer to these without foreign keys, so they are never removed.
create or replace trigger users_are_kept before delete or truncate on inventory.users
  for each statement execute function inventory.refuse_change();
create or replace trigger warehouses_are_kept before delete or truncate on inventory.warehouses
  for each statement execute function inventory.refuse_change();
create or replace trigger products_are_kept before delete or truncate on inventory.products
  for each statement execute function inventory.refuse_change();
create or replace trigger customers_are_kept before delete or truncate on inventory.customers
  for each statement execute function inventory.refuse_change();
create or replace trigger orders_are_kept before delete or truncate on inventory.orders
  for each statement execute function inventory.refuse_change();
create or replace trigger order_items_are_kept before delete or truncate on inventory.order_items
  for each statement execute function inventory.refuse_change();
create or replace trigger batches_are_kept before delete or truncate on inventory.batches
  for each statement execute function inventory.refuse_change();

-- Takes `p_count` consecutive numbers of a kind and returns the last of them. Locks the tenant's row of that kind until
-- the transaction ends, so call it as late as possible.
create or replace function inventory.next_number(p_tenant bigint, p_kind text, p_count bigint default 1) returns bigint
language sql as $$
  insert into inventory.numbers (tenant_id, kind, last) values (p_tenant, p_kind, p_count)
  on conflict (tenant_id, kind) do update set last = numbers.last + excluded.last
  returning last
$$;

-- The date at a moment in the tenant's time zone.
create or replace function inventory.today(p_tenant bigint, p_now timestamptz) returns date language sql stable as $$
  select (p_now at time zone timezone)::date from inventory.tenants where id = p_tenant
$$;

-- The moment at which a day begins in the tenant's time zone.
create or replace function inventory.day_start(p_tenant bigint, p_day date) returns timestamptz language sql stable as $$
  select p_day::timestamp at time zone timezone from inventory.tenants where id = p_tenant
$$;
