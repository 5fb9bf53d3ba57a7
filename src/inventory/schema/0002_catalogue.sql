create table inventory.categories (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  parent_id bigint,
  name text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references inventory.categories on delete set null (parent_id)
);
create unique index categories_name_key on inventory.categories (tenant_id, coalesce(parent_id, 0), lower(name));

create domain inventory.price as numeric(14, 2) check (value >= 0);
create domain inventory.weight as double precision check (value >= 0);
create domain inventory.quantity as bigint check (value >= 0);
create domain inventory.tracking as text check (value in ('none', 'batch', 'serial'));

-- A deleted product stays as the name behind its history; its SKU is free again.
--
-- The primary keys of products, customers, orders and order lines have the id first and are created after the other
-- indexes of their table, as is the index by SKU. While a table is empty, the planner considers all indexes that begin
-- with the tenant equally good, takes the newest, and keeps that plan.
create table inventory.products (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  name text not null,
  sku text not null,
  base_price inventory.price not null,
  cost_price inventory.price,
  compare_at_price inventory.price,
  barcode text,
  vendor text,
  description text,
  category_id bigint,
  tracking_type inventory.tracking not null,
  weight inventory.weight,
  taxable boolean not null default true,
  requires_shipping boolean not null default true,
  is_active boolean not null default true,
  -- Changed by inventory.move_stock alone.
  total_stock inventory.quantity not null default 0,
  average_cost numeric(20, 6) not null default 0,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  foreign key (tenant_id, category_id) references inventory.categories on delete set null (category_id)
) with (fillfactor = 80);
create index products_listed on inventory.products (tenant_id, id) where deleted_at is null;
create index products_by_activity on inventory.products (tenant_id, is_active, id) where deleted_at is null;
create index products_by_category on inventory.products (tenant_id, category_id, id) where deleted_at is null;
create index products_by_name on inventory.products (tenant_id, lower(name), id) include (name) where deleted_at is null;
create index products_by_price on inventory.products (tenant_id, base_price, id) where deleted_at is null;
create index products_by_barcode on inventory.products (tenant_id, barcode) where deleted_at is null and barcode is not null;
create index products_search on inventory.products
  using gin ((sku || chr(10) || name || chr(10) || coalesce(barcode, '')) gin_trgm_ops)
  with (fastupdate = off) where deleted_at is null;
-- Which products were still there on a past day.
create index products_deleted on inventory.products (tenant_id, deleted_at) where deleted_at is not null;
create unique index products_sku_key on inventory.products (tenant_id, sku) where deleted_at is null;
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

-- The lines of files that are being imported, stored as they arrive, so that neither memory nor a transaction waits for
-- a slow client. Unlogged: an import that a crash interrupts is sent again.
create unlogged table inventory.import_lines (
  import_id uuid not null,
  line bigint not null,
  sku text not null,
  cells jsonb not null,
  -- Why the line cannot be used, if that was seen while it was read.
  problem text,
  -- Its product was added, changed, or is as the line says; a later line of the same SKU is one too many.
  is_used boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (import_id, line)
) with (fillfactor = 70);
create index import_lines_used on inventory.import_lines (import_id, sku) where is_used;
