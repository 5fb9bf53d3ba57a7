create table inventory.suppliers (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  name text not null,
  email text,
  phone text,
  payment_terms text,
  lead_time_days int check (lead_time_days >= 0),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index suppliers_by_name on inventory.suppliers (tenant_id, lower(name), id);
create index suppliers_search on inventory.suppliers
  using gin ((name || chr(10) || coalesce(email, '')) gin_trgm_ops) with (fastupdate = off);

-- Who delivers what: written by purchase orders, read by reorder suggestions.
create table inventory.supplier_products (
  tenant_id bigint not null,
  supplier_id bigint not null,
  product_id bigint not null,
  unit_cost numeric(14, 2) not null,
  ordered_at timestamptz(3) not null,
  primary key (tenant_id, supplier_id, product_id),
  foreign key (tenant_id, supplier_id) references inventory.suppliers,
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id)
);
create index supplier_products_latest on inventory.supplier_products (tenant_id, product_id, ordered_at);

create domain inventory.purchase_order_status as text
  check (value in ('draft', 'ordered', 'partial', 'received', 'cancelled'));

create table inventory.purchase_orders (
  id bigint generated always as identity,
  tenant_id bigint not null,
  number bigint not null,
  supplier_id bigint not null,
  warehouse_id bigint not null,
  status inventory.purchase_order_status not null default 'draft',
  total_amount numeric(30, 2) not null,
  expected_date date,
  notes text,
  created_by bigint,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  foreign key (tenant_id, supplier_id) references inventory.suppliers,
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  foreign key (tenant_id, created_by) references inventory.users (tenant_id, id)
) with (fillfactor = 80);
create index purchase_orders_by_status on inventory.purchase_orders (tenant_id, status, number);
create index purchase_orders_by_supplier on inventory.purchase_orders (tenant_id, supplier_id, number);
create index purchase_orders_on_their_way on inventory.purchase_orders (tenant_id, supplier_id)
  where status in ('ordered', 'partial');

create table inventory.purchase_order_items (
  id bigint generated always as identity,
  tenant_id bigint not null,
  purchase_order_id bigint not null,
  product_id bigint not null,
  sku text not null,
  product_name text not null,
  quantity inventory.ordered_quantity not null,
  quantity_received bigint not null default 0 check (quantity_received between 0 and quantity),
  unit_cost inventory.price not null,
  -- Whether more of it is expected: the order is neither received nor cancelled.
  is_open boolean not null default true,
  primary key (tenant_id, id),
  foreign key (tenant_id, purchase_order_id) references inventory.purchase_orders,
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id)
) with (fillfactor = 80);
create index purchase_order_items_of_order on inventory.purchase_order_items (tenant_id, purchase_order_id, id);
create index purchase_order_items_open on inventory.purchase_order_items (tenant_id, product_id) where is_open;
