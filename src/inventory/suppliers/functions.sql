-- Writes down what happened to a supplier, with the supplier as `GET /api/suppliers/{id}` returns them.
create or replace function inventory.add_supplier_event(p_supplier inventory.suppliers, p_type text) returns void
language sql as $$
  select inventory.add_event(p_supplier.tenant_id, p_type, 'supplier/' || p_supplier.id,
    json_build_object('id', p_supplier.id, 'name', p_supplier.name, 'email', p_supplier.email,
      'phone', p_supplier.phone, 'payment_terms', p_supplier.payment_terms,
      'lead_time_days', p_supplier.lead_time_days, 'product_count', (select count(*)
        from inventory.supplier_products p
        where p.tenant_id = p_supplier.tenant_id and p.supplier_id = p_supplier.id),
      'open_orders', o.open, 'created_at', platform.iso_time(p_supplier.created_at), 'total_orders', o.placed,
      'total_spent', o.spent::text))
  from (select count(*) filter (where status in ('ordered', 'partial')) as open, count(*) as placed,
      coalesce(sum(total_amount), 0)::numeric(30, 2) as spent
    from inventory.purchase_orders where tenant_id = p_supplier.tenant_id and supplier_id = p_supplier.id
      and status in ('ordered', 'partial', 'received')) o
$$;

create or replace function inventory.apply_supplier_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform inventory.add_supplier_event(old, 'supplier.deleted');
  else
    perform inventory.add_supplier_event(new,
      case tg_op when 'INSERT' then 'supplier.created' else 'supplier.updated' end);
  end if;
  return null;
end $$;
create or replace trigger supplier_created after insert on inventory.suppliers
  for each row execute function inventory.apply_supplier_change();
create or replace trigger supplier_updated
  after update of name, email, phone, payment_terms, lead_time_days on inventory.suppliers
  for each row when ((old.name, old.email, old.phone, old.payment_terms, old.lead_time_days)
    is distinct from (new.name, new.email, new.phone, new.payment_terms, new.lead_time_days))
  execute function inventory.apply_supplier_change();
create or replace trigger supplier_deleted after delete on inventory.suppliers
  for each row execute function inventory.apply_supplier_change();
