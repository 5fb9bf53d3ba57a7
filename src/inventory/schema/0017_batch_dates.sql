-- As in 0006, but no batch expires before it was made: not by the dates of one receipt, nor by those of several.
create or replace function inventory.batch_for(p_tenant bigint, p_now timestamptz, p_product bigint, p_number text,
  p_lot text, p_made date, p_expires date, p_notes text) returns bigint language plpgsql as $$
declare
  b record;
begin
  insert into inventory.batches (tenant_id, product_id, batch_number, lot_number, manufacture_date, expiry_date, notes,
    created_at)
  values (p_tenant, p_product, p_number, p_lot, p_made, p_expires, p_notes, p_now)
  on conflict on constraint batches_number_key do nothing;
  select * into b from inventory.batches x
  where x.tenant_id = p_tenant and x.product_id = p_product and x.batch_number = p_number for no key update;
  if b.expiry_date <> p_expires or b.manufacture_date <> p_made or b.lot_number <> p_lot then
    perform inventory.refuse(400, format('Batch %s is known with other dates or another lot', p_number));
  end if;
  if coalesce(b.manufacture_date, p_made) > coalesce(b.expiry_date, p_expires) then
    perform inventory.refuse(400, format('Batch %s would expire before it was made', p_number));
  end if;
  update inventory.batches x set lot_number = coalesce(x.lot_number, p_lot),
    manufacture_date = coalesce(x.manufacture_date, p_made), expiry_date = coalesce(x.expiry_date, p_expires)
  where x.tenant_id = p_tenant and x.id = b.id and (p_lot is not null and x.lot_number is null
    or p_made is not null and x.manufacture_date is null or p_expires is not null and x.expiry_date is null);
  return b.id;
end $$;
