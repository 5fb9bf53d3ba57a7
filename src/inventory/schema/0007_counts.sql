-- A session in which people count what a warehouse holds, of a category or of everything.
create table inventory.counts (
  id bigint generated always as identity,
  tenant_id bigint not null,
  number bigint not null,
  warehouse_id bigint not null,
  category_id bigint,
  status text not null default 'open' check (status in ('open', 'review', 'posted', 'cancelled')),
  notes text,
  created_by bigint,
  created_at timestamptz(3) not null,
  -- Who posted or cancelled it, and when.
  closed_by bigint,
  closed_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, number),
  foreign key (tenant_id, warehouse_id) references inventory.warehouses (tenant_id, id),
  foreign key (tenant_id, category_id) references inventory.categories on delete set null (category_id)
);
create index counts_by_status on inventory.counts (tenant_id, status, number);

-- What was counted of a product, or of one of its batches; an empty number is the stock that is in no batch.
create table inventory.count_lines (
  id bigint generated always as identity,
  tenant_id bigint not null,
  count_id bigint not null,
  product_id bigint not null,
  batch_number text not null,
  counted bigint not null default 0 check (counted >= 0),
  -- What the ledger said when the line was last entered.
  expected bigint not null default 0,
  counted_by bigint,
  counted_at timestamptz(3) not null,
  -- The serials on hand when the first of the line was entered.
  expected_serials bigint[],
  -- What was posted; until then it follows from the above.
  difference bigint,
  missing_serials text[],
  found_serials text[],
  primary key (tenant_id, id),
  constraint count_lines_key unique (tenant_id, count_id, product_id, batch_number),
  foreign key (tenant_id, count_id) references inventory.counts
) with (fillfactor = 70);

-- The serials of a line that somebody has seen.
create table inventory.count_serials (
  tenant_id bigint not null,
  line_id bigint not null,
  serial_number text not null,
  primary key (tenant_id, line_id, serial_number),
  foreign key (tenant_id, line_id) references inventory.count_lines on delete cascade
);

-- Who entered what, one after the other.
create table inventory.count_entries (
  id bigint generated always as identity,
  tenant_id bigint not null,
  count_id bigint not null,
  product_id bigint not null,
  batch_number text not null,
  mode text not null check (mode in ('add', 'replace')),
  quantity bigint not null check (quantity >= 0),
  created_by bigint,
  created_at timestamptz(3) not null,
  primary key (tenant_id, count_id, id)
);
