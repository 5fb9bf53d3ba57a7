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

-- An address of a customer, in responses and in events.
create or replace function inventory.address_document(p_address inventory.addresses) returns json language sql stable as $$
  select json_build_object('id', p_address.id, 'customer_id', p_address.customer_id, 'type', p_address.type,
    'line1', p_address.line1, 'city', p_address.city, 'state', p_address.state, 'postcode', p_address.postcode,
    'country', p_address.country, 'is_default', p_address.is_default)
$$;

-- Writes down that something happened to a customer, with the customer as `GET /api/customers/{id}` returns them now. The
-- caller has locked them. Of one who has been deleted only the name is left.
create or replace function inventory.add_customer_event(p_tenant bigint, p_customer bigint, p_type text) returns void
language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'inventory', p_tenant::text, p_type, 'customer/' || p_customer, json_build_object('id', c.id, 'name', c.name,
    'email', c.email, 'phone', c.phone, 'company', c.company, 'customer_type', c.customer_type,
    'total_orders', c.total_orders, 'total_spent', c.total_spent::text, 'last_order_at', (
      select platform.iso_time(o.created_at) from inventory.orders o
      where o.tenant_id = p_tenant and o.customer_id = p_customer order by o.number desc limit 1), 'addresses', coalesce((
      select json_agg(inventory.address_document(a) order by a.id)
      from inventory.addresses a where a.tenant_id = p_tenant and a.customer_id = p_customer), '[]'),
    'created_at', platform.iso_time(c.created_at))
  from inventory.customers c where c.tenant_id = p_tenant and c.id = p_customer;
end $$;

create or replace function inventory.apply_customer_change() returns trigger language plpgsql as $$
begin
  perform inventory.add_customer_event(new.tenant_id, new.id,
    case tg_op when 'INSERT' then 'customer.created' else 'customer.updated' end);
  return null;
end $$;
create or replace trigger customer_created after insert on inventory.customers
  for each row execute function inventory.apply_customer_change();
create or replace trigger customer_updated
  after update of name, email, phone, company, customer_type, deleted_at on inventory.customers
  for each row when ((old.name, old.email, old.phone, old.company, old.customer_type, old.deleted_at)
    is distinct from (new.name, new.email, new.phone, new.company, new.customer_type, new.deleted_at))
  execute function inventory.apply_customer_change();
