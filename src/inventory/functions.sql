-- What the functions of all modules share.

-- Writes down what happened to something of a tenant, with the resource as its own GET returns it now.
create or replace function inventory.add_event(p_tenant bigint, p_type text, p_subject text, p_data json) returns void
language sql as $$
  insert into platform.events (service, owner, type, subject, data)
  values ('inventory', p_tenant::text, p_type, p_subject, p_data)
$$;

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

-- Takes the next number of a kind and returns it. Locks the tenant's row of that kind until the transaction ends, so call
-- it as late as possible.
create or replace function inventory.next_number(p_tenant bigint, p_kind text) returns bigint
language sql as $$
  insert into inventory.numbers (tenant_id, kind, last) values (p_tenant, p_kind, 1)
  on conflict (tenant_id, kind) do update set last = numbers.last + 1
  returning last
$$;

-- The number of a document as people read it: at least six digits.
create or replace function inventory.padded(p_number bigint) returns text language sql immutable as $$
  select lpad(p_number::text, greatest(6, length(p_number::text)), '0')
$$;

-- All numbers of a kind that contain these digits, or begin with them. Only numbers of six digits begin with a zero.
create or replace function inventory.numbers_with(p_tenant bigint, p_kind text, p_digits text, p_at_start boolean)
returns setof bigint language sql stable as $$
  with given as (
    select greatest(6, length(last::text)) as width, length(p_digits) as length from inventory.numbers
    where tenant_id = p_tenant and kind = p_kind
  )
  select (head * 10::numeric ^ (t + length) + p_digits::numeric * 10::numeric ^ t + tail)::bigint
  from given, generate_series(0, width - length) t, generate_series(0::numeric, 10::numeric ^ (width - length - t) - 1) head,
    generate_series(0::numeric, 10::numeric ^ t - 1) tail
  where not p_at_start
  union all
  select (p_digits::numeric * 10::numeric ^ (l - length) + tail)::bigint
  from given, generate_series(greatest(6, length), width) l, generate_series(0::numeric, 10::numeric ^ (l - length) - 1) tail
  where p_at_start and (l = 6 or not starts_with(p_digits, '0'))
$$;

-- The date at a moment in the tenant's time zone.
create or replace function inventory.today(p_tenant bigint, p_now timestamptz) returns date language sql stable as $$
  select (p_now at time zone timezone)::date from inventory.tenants where id = p_tenant
$$;

-- The moment at which a day begins in the tenant's time zone.
create or replace function inventory.day_start(p_tenant bigint, p_day date) returns timestamptz language sql stable as $$
  select p_day::timestamp at time zone timezone from inventory.tenants where id = p_tenant
$$;
