-- The totals of each warehouse, including changes that have not been added to them yet.
create or replace view inventory.warehouse_sums as
  select tenant_id, warehouse_id, sum(total_skus)::bigint as total_skus,
    sum(total_quantity)::bigint as total_quantity, sum(total_value) as total_value,
    sum(low_stock)::bigint as low_stock, sum(out_of_stock)::bigint as out_of_stock,
    sum(movements)::bigint as movements
  from (select * from inventory.warehouse_totals union all select * from inventory.warehouse_changes) all_of_it
  group by tenant_id, warehouse_id;

-- Adds the appended changes to the totals. Locks the rows of the warehouses concerned, ascending. Run by a job every
-- minute.
create or replace function inventory.fold_warehouse_changes() returns void language sql as $$
  with taken as (delete from inventory.warehouse_changes returning *)
  insert into inventory.warehouse_totals as t
  select tenant_id, warehouse_id, sum(total_skus), sum(total_quantity), sum(total_value), sum(low_stock),
    sum(out_of_stock), sum(movements)
  from taken group by tenant_id, warehouse_id order by tenant_id, warehouse_id
  on conflict (tenant_id, warehouse_id) do update set
    total_skus = t.total_skus + excluded.total_skus, total_quantity = t.total_quantity + excluded.total_quantity,
    total_value = t.total_value + excluded.total_value, low_stock = t.low_stock + excluded.low_stock,
    out_of_stock = t.out_of_stock + excluded.out_of_stock, movements = t.movements + excluded.movements
$$;

-- Appends what the change of a stock row means for its warehouse. Whenever a quantity changes there is one more movement.
create or replace function inventory.sum_stock_change() returns trigger language plpgsql as $$
begin
  insert into inventory.warehouse_changes
    (tenant_id, warehouse_id, total_skus, total_quantity, total_value, low_stock, out_of_stock, movements)
  select p.tenant_id, coalesce(new.warehouse_id, old.warehouse_id),
    (new is not null)::int - (old is not null)::int,
    coalesce(new.quantity, 0) - coalesce(old.quantity, 0),
    round(coalesce(new.quantity, 0) * p.average_cost, 2) - round(coalesce(old.quantity, 0) * p.average_cost, 2),
    coalesce(new.quantity <= new.reorder_level, false)::int - coalesce(old.quantity <= old.reorder_level, false)::int,
    coalesce(new.quantity = 0, false)::int - coalesce(old.quantity = 0, false)::int,
    coalesce(new.quantity <> old.quantity, false)::int
  from inventory.products p
  where p.tenant_id = coalesce(new.tenant_id, old.tenant_id) and p.id = coalesce(new.product_id, old.product_id);
  return null;
end $$;
create or replace trigger sum_stock_row after insert or delete on inventory.stock
  for each row execute function inventory.sum_stock_change();
create or replace trigger sum_stock_change after update of quantity, reorder_level on inventory.stock
  for each row when (old.quantity <> new.quantity or old.reorder_level <> new.reorder_level)
  execute function inventory.sum_stock_change();

-- Appends what a new average cost means for the value of each warehouse that holds the product.
create or replace function inventory.sum_cost_change() returns trigger language plpgsql as $$
begin
  insert into inventory.warehouse_changes (tenant_id, warehouse_id, total_value)
  select tenant_id, warehouse_id, round(quantity * new.average_cost, 2) - round(quantity * old.average_cost, 2)
  from inventory.stock where tenant_id = new.tenant_id and product_id = new.id and quantity > 0;
  return null;
end $$;
create or replace trigger sum_cost_change after update of average_cost on inventory.products
  for each row when (old.average_cost <> new.average_cost) execute function inventory.sum_cost_change();

-- Writes down what happened to a warehouse. The first warehouse of a tenant comes with it, before anybody could read
-- events.
create or replace function inventory.apply_warehouse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and not exists (
    select from inventory.warehouses w where w.tenant_id = new.tenant_id and w.id <> new.id) then return null; end if;
  perform inventory.add_event(new.tenant_id,
    case tg_op when 'INSERT' then 'warehouse.created' else 'warehouse.updated' end, 'warehouse/' || new.id,
    json_build_object('id', new.id, 'name', new.name, 'code', new.code, 'address', new.address, 'city', new.city,
      'state', new.state, 'is_default', new.is_default, 'total_skus', coalesce(s.total_skus, 0),
      'total_value', round(coalesce(s.total_value, 0), 2)::text, 'created_at', platform.iso_time(new.created_at)))
  from (select) here left join inventory.warehouse_sums s on s.tenant_id = new.tenant_id and s.warehouse_id = new.id;
  return null;
end $$;
create or replace trigger warehouse_created after insert on inventory.warehouses
  for each row execute function inventory.apply_warehouse_change();
create or replace trigger warehouse_updated
  after update of name, code, address, city, state, is_default on inventory.warehouses
  for each row when ((old.name, old.code, old.address, old.city, old.state, old.is_default)
    is distinct from (new.name, new.code, new.address, new.city, new.state, new.is_default))
  execute function inventory.apply_warehouse_change();
