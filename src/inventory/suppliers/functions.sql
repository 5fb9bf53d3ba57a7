-- Writes down that a supplier was added or changed, with the supplier as they are listed now.
create or replace function inventory.apply_supplier_change() returns trigger language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  values ('inventory', new.tenant_id::text, case tg_op when 'INSERT' then 'supplier.created' else 'supplier.updated' end,
    'supplier/' || new.id, json_build_object('id', new.id, 'name', new.name, 'email', new.email, 'phone', new.phone,
      'payment_terms', new.payment_terms, 'lead_time_days', new.lead_time_days,
      'product_count', (select count(*) from inventory.supplier_products p
        where p.tenant_id = new.tenant_id and p.supplier_id = new.id),
      'open_orders', (select count(*) from inventory.purchase_orders o where o.tenant_id = new.tenant_id
        and o.supplier_id = new.id and o.status in ('ordered', 'partial')),
      'created_at', platform.iso_time(new.created_at)));
  return null;
end $$;
create or replace trigger supplier_created after insert on inventory.suppliers
  for each row execute function inventory.apply_supplier_change();
create or replace trigger supplier_updated after update on inventory.suppliers
  for each row when (old is distinct from new) execute function inventory.apply_supplier_change();
