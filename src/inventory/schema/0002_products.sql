create table inventory.categories (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  parent_id bigint,
  name text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references inventory.categories on delete set null (parent_id)
);
create unique index categories_name_key on inventory.categories (tenant_id, coalesce(parent_id, 0), lower(name));

-- A deleted product stays as the name behind its history; its SKU is free again.
create table inventory.products (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  -- Counts the tenant's products in the order they were added; lists are read by it, newest first.
  ordinal bigint not null,
  name text not null,
  sku text not null,
  base_price numeric(14, 2) not null check (base_price >= 0),
  cost_price numeric(14, 2) check (cost_price >= 0),
  compare_at_price numeric(14, 2) check (compare_at_price >= 0),
  barcode text,
  vendor text,
  description text,
  category_id bigint,
  tracking_type text not null check (tracking_type in ('none', 'batch', 'serial')),
  weight double precision check (weight >= 0),
  taxable boolean not null default true,
  requires_shipping boolean not null default true,
  is_active boolean not null default true,
  -- Changed by inventory.move_stock alone.
  total_stock bigint not null default 0 check (total_stock >= 0),
  average_cost numeric(20, 6) not null default 0,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  foreign key (tenant_id, category_id) references inventory.categories on delete set null (category_id)
) with (fillfactor = 80);
create unique index products_sku_key on inventory.products (tenant_id, sku) where deleted_at is null;
create index products_listed on inventory.products (tenant_id, ordinal) where deleted_at is null;
create index products_by_activity on inventory.products (tenant_id, is_active, ordinal) where deleted_at is null;
create index products_by_category on inventory.products (tenant_id, category_id, ordinal) where deleted_at is null;
create index products_search on inventory.products using gin ((sku || chr(10) || name) gin_trgm_ops)
  with (fastupdate = off) where deleted_at is null;

-- Made last, so that an empty table’s plans use it (see 0004).
alter table inventory.products add primary key (id, tenant_id);

create table inventory.product_images (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  url text not null,
  is_primary boolean not null,
  primary key (tenant_id, product_id, id),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id)
);
create unique index product_images_one_primary on inventory.product_images (tenant_id, product_id) where is_primary;

-- How many products are listed in each run of 500 ordinals: the total, and where a page begins, in no time.
create table inventory.product_blocks (
  tenant_id bigint not null references inventory.tenants,
  block bigint not null,
  total int not null,
  active int not null,
  primary key (tenant_id, block)
) with (fillfactor = 50);

create function inventory.count_new_products() returns trigger language plpgsql as $$
begin
  insert into inventory.product_blocks (tenant_id, block, total, active)
  select tenant_id, ordinal / 500, count(*), count(*) filter (where is_active) from added group by 1, 2 order by 1, 2
  on conflict (tenant_id, block) do update
    set total = product_blocks.total + excluded.total, active = product_blocks.active + excluded.active;
  return null;
end $$;
create trigger count_new_products after insert on inventory.products
  referencing new table as added for each statement execute function inventory.count_new_products();

create function inventory.count_changed_product() returns trigger language plpgsql as $$
begin
  update inventory.product_blocks set
    total = total + (new.deleted_at is null)::int - (old.deleted_at is null)::int,
    active = active + (new.deleted_at is null and new.is_active)::int - (old.deleted_at is null and old.is_active)::int
  where tenant_id = new.tenant_id and block = new.ordinal / 500;
  return null;
end $$;
create trigger count_changed_product after update of is_active, deleted_at on inventory.products
  for each row when (old.is_active <> new.is_active or old.deleted_at is distinct from new.deleted_at)
  execute function inventory.count_changed_product();
