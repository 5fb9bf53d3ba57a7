-- Goods come back also after their product has been deleted: the ledger says so, and writes them off at once, as the
-- deletion did with all that was there. A deleted product has stock rows only within such a transaction.

-- Holds the products, and makes the rows that units of deleted ones come back to.
create function inventory.reopen_deleted(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language plpgsql as $$
begin
  perform from inventory.products
    where tenant_id = p_tenant and id = any (p_products) order by id for no key update;
  insert into inventory.stock (tenant_id, product_id, warehouse_id)
    select distinct p_tenant, k.product_id, k.warehouse_id
    from unnest(p_products, p_warehouses) k (product_id, warehouse_id)
    join inventory.products p on p.tenant_id = p_tenant and p.id = k.product_id
    where p.deleted_at is not null
    order by 2, 3;
end $$;

create function inventory.write_off_deleted(p_tenant bigint, p_user bigint, p_now timestamptz, p_products bigint[])
returns void language plpgsql as $$
declare
  v_gone bigint[] := array(select id from inventory.products
    where tenant_id = p_tenant and id = any (p_products) and deleted_at is not null);
begin
  if v_gone = '{}' then return; end if;
  perform inventory.move_stock(p_tenant, p_user, p_now, (
    select jsonb_agg(jsonb_build_object('product_id', product_id, 'warehouse_id', warehouse_id, 'quantity', -quantity,
      'type', 'adjustment', 'notes', 'Product deleted'))
    from inventory.stock where tenant_id = p_tenant and product_id = any (v_gone)));
  delete from inventory.stock where tenant_id = p_tenant and product_id = any (v_gone);
end $$;

-- As before, and for products that are deleted but have a row to move.
create or replace function inventory.lock_stock(p_tenant bigint, p_products bigint[], p_warehouses bigint[]) returns void
language plpgsql as $$
declare
  held int;
begin
  perform from inventory.products p
    where p.tenant_id = p_tenant and p.id = any (p_products) and (p.deleted_at is null
      or exists (select from inventory.stock s where s.tenant_id = p_tenant and s.product_id = p.id))
    order by p.id for no key update;
  get diagnostics held = row_count;
  if held < (select count(distinct id) from unnest(p_products) id) then
    perform inventory.refuse(404, 'Product not found');
  end if;
  insert into inventory.stock (tenant_id, product_id, warehouse_id)
    select distinct p_tenant, k.product_id, k.warehouse_id
    from unnest(p_products, p_warehouses) k (product_id, warehouse_id)
    join inventory.warehouses w on w.tenant_id = p_tenant and w.id = k.warehouse_id
    where not exists (select from inventory.stock s
      where s.tenant_id = p_tenant and s.product_id = k.product_id and s.warehouse_id = k.warehouse_id)
    order by 2, 3
    on conflict do nothing;
  perform from inventory.stock s
    where s.tenant_id = p_tenant
      and (s.product_id, s.warehouse_id) in (select * from unnest(p_products, p_warehouses))
    order by s.product_id, s.warehouse_id for no key update;
  get diagnostics held = row_count;
  if held < (select count(*) from (select distinct * from unnest(p_products, p_warehouses)) k) then
    perform inventory.refuse(404, 'Warehouse not found');
  end if;
end $$;

-- As before, and of products that have been deleted since.
create or replace function inventory.return_items(p_tenant bigint, p_user bigint, p_now timestamptz, p_order bigint, p_items jsonb)
returns void language plpgsql as $$
declare
  v_ids bigint[];
  v_products bigint[];
  v_warehouses bigint[];
  v_wrong record;
  v_amount numeric;
begin
  select array_agg(i.id), array_agg(i.product_id), array_agg(i.warehouse_id) into v_ids, v_products, v_warehouses
  from jsonb_to_recordset(p_items) as a (order_item_id bigint)
  left join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id and i.order_id = p_order;
  if v_ids is null or array_position(v_ids, null) is not null then
    perform inventory.refuse(404, 'Order item not found');
  end if;
  perform inventory.reopen_deleted(p_tenant, v_products, v_warehouses);
  perform inventory.lock_stock(p_tenant, v_products, v_warehouses);

  select i.id, i.sku, i.quantity_fulfilled - i.quantity_returned as out into v_wrong
  from (select order_item_id, sum(quantity) as quantity
        from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1) a
  join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id
  where a.quantity > i.quantity_fulfilled - i.quantity_returned order by i.id limit 1;
  if found then
    perform inventory.refuse(400,
      format('Item %s (%s) has only %s shipped and not yet returned', v_wrong.id, v_wrong.sku, v_wrong.out));
  end if;

  with returned as (
    update inventory.order_items i set quantity_returned = i.quantity_returned + a.quantity
    from (select order_item_id, sum(quantity) as quantity
          from jsonb_to_recordset(p_items) as a (order_item_id bigint, quantity bigint) group by 1) a
    where i.tenant_id = p_tenant and i.id = a.order_item_id
    returning a.quantity * i.unit_price as amount
  )
  select sum(amount) into v_amount from returned;

  perform inventory.move_stock(p_tenant, p_user, p_now, (
    select jsonb_agg(jsonb_build_object('product_id', i.product_id, 'warehouse_id', i.warehouse_id,
      'quantity', a.quantity, 'type', 'return', 'order_item_id', i.id, 'reference_id', p_order,
      'unit_cost', round(i.shipped_cost / i.quantity_fulfilled, 6), 'notes', a.notes, 'serials', a.serials)
      order by a.position)
    from rows from (jsonb_to_recordset(p_items) as (order_item_id bigint, quantity bigint, notes text, serials jsonb))
      with ordinality as a (order_item_id, quantity, notes, serials, position)
    join inventory.order_items i on i.tenant_id = p_tenant and i.id = a.order_item_id));
  perform inventory.write_off_deleted(p_tenant, p_user, p_now, v_products);

  update inventory.customers c set total_spent = c.total_spent - v_amount
  from inventory.orders o
  where o.tenant_id = p_tenant and o.id = p_order and c.tenant_id = p_tenant and c.id = o.customer_id;
  update inventory.orders set returned_amount = returned_amount + v_amount where tenant_id = p_tenant and id = p_order;
end $$;
