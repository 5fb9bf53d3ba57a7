-- Where the pages of long lists begin, so that page 1,000 costs what page 1 does.

-- Every thousandth movement of a tenant, counted from the oldest. The ledger only grows at its end, so that what is
-- marked stays right; the newest are left alone until nobody can be about to add one before them.
create table inventory.movement_marks (
  tenant_id bigint not null,
  number bigint not null,
  created_at timestamptz(3) not null,
  movement_id bigint not null,
  primary key (tenant_id, number)
);

create function inventory.mark_movements(p_before timestamptz) returns void language sql as $$
  insert into inventory.movement_marks (tenant_id, number, created_at, movement_id)
  select t.tenant_id, m.number, m.created_at, m.id
  from (select tenant_id, sum(movements) as movements from inventory.warehouse_totals group by 1) t
  left join lateral (
    select number, created_at, movement_id from inventory.movement_marks k where k.tenant_id = t.tenant_id
    order by number desc limit 1) last on true
  cross join lateral (
    select id, created_at, coalesce(last.number, 0) + row_number() over (order by created_at, id) as number
    from inventory.movements m where m.tenant_id = t.tenant_id and m.created_at < p_before
      and (m.created_at, m.id) > (coalesce(last.created_at, '-infinity'), coalesce(last.movement_id, 0))) m
  where t.movements >= coalesce(last.number, 0) + 1000 and m.number % 1000 = 0
  on conflict do nothing
$$;
select inventory.mark_movements(now() - interval '15 minutes');

-- Customers are counted as products are: in the order they were added, in runs of 500.
alter table inventory.numbers drop constraint numbers_kind_check,
  add constraint numbers_kind_check check (kind in ('product', 'order', 'purchase_order', 'api_use', 'customer'));
alter table inventory.customers add column ordinal bigint;
update inventory.customers c set ordinal = n.ordinal
from (select id, row_number() over (partition by tenant_id order by id) as ordinal from inventory.customers) n
where c.id = n.id;
alter table inventory.customers alter column ordinal set not null;
-- For lists alone, which say `ordinal > 0`: plans that are made while the table is empty must not take it (see 0004).
create index customers_in_order on inventory.customers (tenant_id, ordinal) where deleted_at is null and ordinal > 0;
insert into inventory.numbers (tenant_id, kind, last)
select tenant_id, 'customer', max(ordinal) from inventory.customers group by 1;

create table inventory.customer_blocks (
  tenant_id bigint not null references inventory.tenants,
  block bigint not null,
  total int not null,
  primary key (tenant_id, block)
) with (fillfactor = 50);
insert into inventory.customer_blocks
select tenant_id, ordinal / 500, count(*) from inventory.customers where deleted_at is null group by 1, 2;

create function inventory.count_new_customers() returns trigger language plpgsql as $$
begin
  insert into inventory.customer_blocks as b (tenant_id, block, total)
  select tenant_id, ordinal / 500, count(*) from added group by 1, 2 order by 1, 2
  on conflict (tenant_id, block) do update set total = b.total + excluded.total;
  return null;
end $$;
create trigger count_new_customers after insert on inventory.customers
  referencing new table as added for each statement execute function inventory.count_new_customers();

create function inventory.count_deleted_customer() returns trigger language plpgsql as $$
begin
  update inventory.customer_blocks set total = total - 1
  where tenant_id = new.tenant_id and block = new.ordinal / 500;
  return null;
end $$;
create trigger count_deleted_customer after update of deleted_at on inventory.customers
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function inventory.count_deleted_customer();
