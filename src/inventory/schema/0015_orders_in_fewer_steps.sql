-- Orders, lines and movements are written only by functions that have just read what they refer to, and nothing that
-- they refer to is ever removed. The database refuses the removal instead of looking each reference up again, which
-- also locked the same few rows (the warehouse, the user) for every order at once.
alter table inventory.orders
  drop constraint orders_tenant_id_customer_id_fkey,
  drop constraint orders_tenant_id_warehouse_id_fkey,
  drop constraint orders_tenant_id_created_by_fkey;
alter table inventory.order_items
  drop constraint order_items_tenant_id_order_id_fkey,
  drop constraint order_items_tenant_id_product_id_fkey;
alter table inventory.movements
  drop constraint movements_tenant_id_product_id_fkey,
  drop constraint movements_tenant_id_warehouse_id_fkey,
  drop constraint movements_tenant_id_created_by_fkey,
  drop constraint movements_tenant_id_order_item_id_fkey,
  drop constraint movements_tenant_id_batch_id_fkey;

create trigger users_are_kept before delete or truncate on inventory.users
  for each statement execute function inventory.refuse_change();
create trigger warehouses_are_kept before delete or truncate on inventory.warehouses
  for each statement execute function inventory.refuse_change();
create trigger products_are_kept before delete or truncate on inventory.products
  for each statement execute function inventory.refuse_change();
create trigger customers_are_kept before delete or truncate on inventory.customers
  for each statement execute function inventory.refuse_change();
create trigger orders_are_kept before delete or truncate on inventory.orders
  for each statement execute function inventory.refuse_change();
create trigger order_items_are_kept before delete or truncate on inventory.order_items
  for each statement execute function inventory.refuse_change();
create trigger batches_are_kept before delete or truncate on inventory.batches
  for each statement execute function inventory.refuse_change();

-- An order with its reservations, backorders and number, in one go; the three arrays are its lines. Several lines of
-- one product are one demand, met in the order of the lines. Always the same plan: to make one takes longer than to
-- follow it.
drop function inventory.create_order;
create function inventory.create_order(p_tenant bigint, p_user bigint, p_now timestamptz, p_customer bigint,
  p_warehouse bigint, p_channel text, p_address jsonb, p_products bigint[], p_quantities bigint[], p_prices numeric[])
returns table (id bigint, number bigint, total_amount numeric) language plpgsql
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_warehouse bigint;
  v_lines int := cardinality(p_products);
  v_skus text[];
  v_names text[];
  v_reserved bigint[];
  v_short text;
  v_total numeric;
  v_units bigint;
  v_id bigint;
  v_number bigint;
begin
  select w.id into v_warehouse from inventory.warehouses w
  where w.tenant_id = p_tenant and case when p_warehouse is null then w.is_default else w.id = p_warehouse end;
  if not found then perform inventory.refuse(404, 'Warehouse not found'); end if;

  for attempt in 1 .. 2 loop
    select array_agg(l.sku), array_agg(l.name), array_agg(l.reserved), min(l.sku) filter (where l.reserved < l.quantity),
      sum(l.quantity * l.price), sum(l.quantity)
    into v_skus, v_names, v_reserved, v_short, v_total, v_units
    from (
      select l.*, greatest(0, least(l.quantity, l.free + l.quantity
        - sum(l.quantity) over (partition by l.product_id order by l.position))) as reserved
      from (
        select i.*, p.sku, p.name, s.quantity - s.reserved_quantity as free
        from unnest(p_products, p_quantities, p_prices) with ordinality as i (product_id, quantity, price, position)
        join inventory.products p on p.tenant_id = p_tenant and p.id = i.product_id and p.deleted_at is null
        join inventory.stock s
          on s.tenant_id = p_tenant and s.product_id = i.product_id and s.warehouse_id = v_warehouse
        order by i.product_id for no key update of s) l
      order by l.position) l;
    exit when cardinality(v_skus) = v_lines;
    -- A product that was never in this warehouse gets a row there; one that does not exist is refused.
    perform inventory.lock_stock(p_tenant, p_products, array_fill(v_warehouse, array[v_lines]));
  end loop;
  if cardinality(v_skus) < v_lines then perform inventory.refuse(404, 'Product not found'); end if;

  if p_customer is not null then
    update inventory.customers c set total_orders = c.total_orders + 1, total_spent = c.total_spent + v_total
    where c.tenant_id = p_tenant and c.id = p_customer and c.deleted_at is null;
    if not found then perform inventory.refuse(404, 'Customer not found'); end if;
  end if;
  if v_short is not null
    and (select t.oversell_policy = 'reject' from inventory.tenants t where t.id = p_tenant) then
    perform inventory.refuse(400, 'Insufficient stock of ' || v_short);
  end if;

  update inventory.stock s set reserved_quantity = s.reserved_quantity + m.reserved
  from (select product_id, sum(reserved) as reserved
        from unnest(p_products, v_reserved) as r (product_id, reserved) group by 1) m
  where s.tenant_id = p_tenant and s.product_id = m.product_id and s.warehouse_id = v_warehouse and m.reserved > 0;

  v_number := inventory.next_number(p_tenant, 'order');
  insert into inventory.orders (tenant_id, number, customer_id, warehouse_id, status, channel, total_amount,
    item_count, unit_count, shipping_address, created_by, created_at)
  values (p_tenant, v_number, p_customer, v_warehouse, 'pending', p_channel, v_total, v_lines, v_units, p_address,
    p_user, p_now)
  returning orders.id into v_id;
  insert into inventory.order_items (tenant_id, order_id, product_id, warehouse_id, sku, product_name, quantity,
    unit_price, quantity_reserved, quantity_backordered)
  select p_tenant, v_id, product_id, v_warehouse, sku, name, quantity, price, reserved, quantity - reserved
  from unnest(p_products, p_quantities, p_prices, v_reserved, v_skus, v_names)
    as l (product_id, quantity, price, reserved, sku, name);
  return query select v_id, v_number, v_total;
end $$;
