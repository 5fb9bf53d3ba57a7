-- What a warehouse holds of a product. `quantity` is changed by movements alone.
create table inventory.stock (
  tenant_id bigint not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  quantity bigint not null default 0,
  reserved_quantity bigint not null default 0,
  reorder_level inventory.quantity not null default 0,
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id),
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  constraint stock_reserved_within_quantity check (0 <= reserved_quantity and reserved_quantity <= quantity)
) with (fillfactor = 70);
create index stock_by_warehouse on inventory.stock (tenant_id, warehouse_id, product_id);
create index stock_low on inventory.stock (tenant_id, product_id, warehouse_id) where quantity <= reorder_level;
create index stock_running_low on inventory.stock (tenant_id, product_id, warehouse_id)
  where quantity <= reorder_level and quantity > 0;
create index stock_out on inventory.stock (tenant_id, product_id, warehouse_id) where quantity = 0;
-- Created last, as explained at products.
alter table inventory.stock add primary key (tenant_id, product_id, warehouse_id);

create domain inventory.movement_type as text check (value in
  ('receive', 'adjustment', 'transfer_out', 'transfer_in', 'shipment', 'return', 'sync'));
create domain inventory.moved_quantity as bigint check (value <> 0);

-- The ledger. A row is added and never changed; adding it is what changes the quantity on hand.
create table inventory.movements (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  movement_type inventory.movement_type not null,
  quantity inventory.moved_quantity not null,
  -- What was on hand afterwards: shows where a ledger went wrong, and what was there on a past day.
  balance bigint not null,
  unit_cost numeric(20, 6) not null,
  -- The moving average of the product afterwards: what its stock was worth on a day.
  average_cost numeric(20, 6) not null,
  batch_id bigint,
  order_item_id bigint,
  reference_id bigint,
  notes text,
  created_by bigint,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index movements_of_stock on inventory.movements (tenant_id, product_id, warehouse_id, created_at, id);
create index movements_of_product on inventory.movements (tenant_id, product_id, created_at, id);
create index movements_of_batch on inventory.movements (tenant_id, batch_id, id) where batch_id is not null;
create index movements_of_batched_line on inventory.movements (tenant_id, order_item_id) where batch_id is not null;
create index movements_by_time on inventory.movements (tenant_id, created_at, id);
create index movements_by_type on inventory.movements (tenant_id, movement_type, created_at, id);

-- A change of a quantity on hand that has been decided; it becomes a movement.
create type inventory.change as (
  product_id bigint,
  warehouse_id bigint,
  quantity bigint,
  type text,
  -- What the units cost; without it they come in at the product's `cost_price`.
  unit_cost numeric,
  batch_id bigint,
  order_item_id bigint,
  reference_id bigint,
  notes text
);

-- Totals per warehouse. Changes are appended, so that no transaction waits for another, and added to the totals every
-- minute: a row that every shipment updates would make all shipments of a warehouse wait for each other.
create table inventory.warehouse_totals (
  tenant_id bigint not null,
  warehouse_id bigint not null,
  total_skus bigint not null,
  total_quantity bigint not null,
  total_value numeric not null,
  low_stock bigint not null,
  out_of_stock bigint not null,
  movements bigint not null,
  primary key (tenant_id, warehouse_id)
);
create table inventory.warehouse_changes (
  tenant_id bigint not null,
  warehouse_id bigint not null,
  total_skus bigint not null default 0,
  total_quantity bigint not null default 0,
  total_value numeric not null default 0,
  low_stock bigint not null default 0,
  out_of_stock bigint not null default 0,
  movements bigint not null default 0
);
create index warehouse_changes_by_tenant on inventory.warehouse_changes (tenant_id);

create table inventory.batches (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  batch_number text not null,
  lot_number text,
  manufacture_date date,
  expiry_date date,
  notes text,
  created_at timestamptz(3) not null,
  -- Whether a warehouse has some of it; changed by movements alone.
  is_on_hand boolean not null default false,
  -- Whether the event that it expires soon has been written.
  is_announced boolean not null default false,
  primary key (tenant_id, id),
  constraint batches_number_key unique (tenant_id, product_id, batch_number),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id)
);
create index batches_by_expiry on inventory.batches (tenant_id, expiry_date, id);
create index batches_on_hand on inventory.batches (tenant_id, expiry_date, id) where is_on_hand;
create index batches_search on inventory.batches
  using gin ((batch_number || chr(10) || coalesce(lot_number, '')) gin_trgm_ops) with (fastupdate = off);
create index batches_to_announce on inventory.batches (expiry_date) where expiry_date is not null and not is_announced;

-- What a warehouse holds of a batch; changed by movements alone. Stock that is in no batch is unbatched.
create table inventory.batch_stock (
  tenant_id bigint not null,
  batch_id bigint not null,
  warehouse_id bigint not null,
  product_id bigint not null,
  quantity inventory.quantity not null,
  primary key (tenant_id, batch_id, warehouse_id),
  foreign key (tenant_id, batch_id) references inventory.batches,
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id)
) with (fillfactor = 70);
create index batch_stock_to_pick on inventory.batch_stock (tenant_id, product_id, warehouse_id) where quantity > 0;

create domain inventory.serial_status as text check (value in ('in_stock', 'reserved', 'sold', 'returned', 'scrapped'));

-- A unit with a number of its own. Those that are `in_stock` or `reserved` are on hand in their warehouse.
create table inventory.serials (
  id bigint generated always as identity,
  tenant_id bigint not null,
  product_id bigint not null,
  serial_number text not null,
  warehouse_id bigint not null,
  status inventory.serial_status not null,
  notes text,
  -- The line that it was shipped with, until it is back in stock, and what it cost when it left.
  order_item_id bigint,
  left_at_cost numeric(20, 6),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint serials_number_key unique (tenant_id, product_id, serial_number),
  foreign key (tenant_id, product_id) references inventory.products (tenant_id, id),
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  foreign key (tenant_id, order_item_id) references inventory.order_items (tenant_id, id)
) with (fillfactor = 80);
create index serials_by_place on inventory.serials (tenant_id, product_id, warehouse_id, status, id);
create index serials_by_status on inventory.serials (tenant_id, status, id);
create index serials_by_number on inventory.serials (tenant_id, (lower(serial_number) collate "C"), id);
create index serials_of_line on inventory.serials (tenant_id, order_item_id, id) where order_item_id is not null;

create domain inventory.serial_history_type as text check (value in
  ('received', 'reserved', 'released', 'transferred', 'shipped', 'sold', 'returned', 'restocked', 'scrapped'));

-- The life of a serial. `status` and `warehouse_id` are what it had afterwards.
create table inventory.serial_history (
  id bigint generated always as identity,
  tenant_id bigint not null,
  serial_id bigint not null,
  type inventory.serial_history_type not null,
  status text not null,
  warehouse_id bigint not null,
  order_item_id bigint,
  purchase_order_id bigint,
  notes text,
  created_by bigint,
  created_at timestamptz(3) not null,
  primary key (tenant_id, serial_id, id)
);
