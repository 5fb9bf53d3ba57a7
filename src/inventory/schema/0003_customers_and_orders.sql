create domain inventory.customer_type as text check (value in ('retail', 'wholesale', 'b2b'));

-- A deleted customer stays as the name on their orders.
create table inventory.customers (
  id bigint generated always as identity,
  tenant_id bigint not null references inventory.tenants,
  name text not null,
  email text,
  phone text,
  company text,
  customer_type inventory.customer_type not null,
  -- Orders that are not cancelled, and what they came to, less returns.
  total_orders bigint not null default 0,
  total_spent numeric(30, 2) not null default 0,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
) with (fillfactor = 80);
create unique index customers_email_key on inventory.customers (tenant_id, lower(email)) where deleted_at is null;
create index customers_listed on inventory.customers (tenant_id, id) where deleted_at is null;
create index customers_by_type on inventory.customers (tenant_id, customer_type, id) where deleted_at is null;
create index customers_by_name on inventory.customers (tenant_id, lower(name), id) where deleted_at is null;
create index customers_search on inventory.customers
  using gin ((name || chr(10) || coalesce(company, '') || chr(10) || coalesce(email, '')) gin_trgm_ops)
  with (fastupdate = off);
alter table inventory.customers add primary key (id, tenant_id);

create table inventory.addresses (
  id bigint generated always as identity,
  tenant_id bigint not null,
  customer_id bigint not null,
  type text not null check (type in ('billing', 'shipping')),
  line1 text not null,
  city text not null,
  state text,
  postcode text,
  country text not null,
  is_default boolean not null,
  primary key (tenant_id, customer_id, id),
  foreign key (tenant_id, customer_id) references inventory.customers (tenant_id, id)
);
create unique index addresses_one_default on inventory.addresses (tenant_id, customer_id, type) where is_default;

create domain inventory.order_status as text
  check (value in ('pending', 'paid', 'fulfilling', 'fulfilled', 'shipped', 'cancelled'));
create domain inventory.channel as text check (value in ('manual', 'api', 'pos', 'b2b'));
create domain inventory.ordered_quantity as bigint check (value > 0);

-- Orders, order lines and movements (0004) have no foreign keys to products, customers, warehouses and users. They are
-- written only by functions that have just read those rows, and triggers refuse to delete them (see functions.sql). Foreign
-- keys would look each row up again and lock the same few rows (the warehouse, the user) for every order.
create table inventory.orders (
  id bigint generated always as identity,
  tenant_id bigint not null,
  number bigint not null,
  customer_id bigint,
  warehouse_id bigint not null,
  status inventory.order_status not null default 'pending',
  channel inventory.channel not null,
  total_amount numeric(30, 2) not null,
  returned_amount numeric(30, 2) not null default 0 check (returned_amount between 0 and total_amount),
  item_count int not null,
  unit_count bigint not null,
  shipping_address jsonb,
  created_by bigint,
  created_at timestamptz(3) not null,
  unique (tenant_id, number)
) with (fillfactor = 80);
create index orders_by_status on inventory.orders (tenant_id, status, number);
create index orders_by_customer on inventory.orders (tenant_id, customer_id, number) where customer_id is not null;
create index orders_by_time on inventory.orders (tenant_id, created_at, number) include (status, total_amount, unit_count);
alter table inventory.orders add primary key (id, tenant_id);

-- reserved + backordered + fulfilled = ordered, for a line of an open order. They change only under the lock of the
-- line's stock row. A line of a cancelled order has nothing reserved and nothing backordered.
create table inventory.order_items (
  id bigint generated always as identity,
  tenant_id bigint not null,
  order_id bigint not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  sku text not null,
  product_name text not null,
  quantity inventory.ordered_quantity not null,
  unit_price inventory.price not null,
  quantity_reserved inventory.quantity not null,
  quantity_backordered inventory.quantity not null,
  quantity_fulfilled inventory.quantity not null default 0,
  quantity_returned bigint not null default 0 check (quantity_returned between 0 and quantity_fulfilled),
  -- What the shipped units cost when they left; a return comes back at that.
  shipped_cost numeric(30, 6) not null default 0,
  constraint order_items_within_ordered
    check (quantity_reserved + quantity_backordered + quantity_fulfilled <= quantity)
) with (fillfactor = 80);
create index order_items_of_order on inventory.order_items (order_id, id);
create index order_items_of_product on inventory.order_items (tenant_id, product_id, order_id);
create index order_items_waiting on inventory.order_items (tenant_id, product_id, warehouse_id, id)
  where quantity_backordered > 0;
create index order_items_reserving on inventory.order_items (tenant_id, product_id, warehouse_id, id)
  where quantity_reserved > 0;
alter table inventory.order_items add primary key (id, tenant_id);

create domain inventory.order_history_type as text
  check (value in ('created', 'reserved', 'backordered', 'status_changed', 'shipped', 'returned'));

-- What happened to an order after it was placed. Its first reservation needs no row: whatever was not backordered then, in a
-- row of type `created`, was reserved.
create table inventory.order_history (
  id bigint generated always as identity,
  tenant_id bigint not null,
  order_id bigint not null,
  type inventory.order_history_type not null,
  -- The status that the order got.
  status text,
  -- [{order_item_id, quantity, …}]
  items jsonb not null default '[]',
  created_by bigint,
  created_at timestamptz(3) not null,
  primary key (tenant_id, order_id, id)
);
