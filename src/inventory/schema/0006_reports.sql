-- Sales: what was shipped, less what came back, by the tenant's own day. Appended together with the movements they sum
-- up, and added every minute to the rows that reports read: by day, by product and day, and by product and month.
create table inventory.sales_changes (
  tenant_id bigint not null,
  day date not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null
);
create index sales_changes_by_tenant on inventory.sales_changes (tenant_id);
create table inventory.sales_days (
  tenant_id bigint not null,
  day date not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null,
  primary key (tenant_id, day)
);
create table inventory.product_sales_days (
  tenant_id bigint not null,
  day date not null,
  product_id bigint not null,
  warehouse_id bigint not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null,
  primary key (tenant_id, day, product_id, warehouse_id)
);
create table inventory.product_sales_months (
  tenant_id bigint not null,
  month date not null,
  product_id bigint not null,
  units bigint not null,
  revenue numeric not null,
  cogs numeric not null,
  primary key (tenant_id, month, product_id)
);

-- By how much the value of the stock, and the number of stock rows that hold something, changed on each of the tenant's
-- own days. Summed up to a day they are its valuation. Appended and added up like sales.
create table inventory.valuation_changes (
  tenant_id bigint not null,
  day date not null,
  value numeric not null,
  items bigint not null
);
create index valuation_changes_by_tenant on inventory.valuation_changes (tenant_id);
create table inventory.valuation_days (
  tenant_id bigint not null,
  day date not null,
  value numeric not null,
  items bigint not null,
  primary key (tenant_id, day)
);
