-- The lines of files that are being imported, put here as they come in, so that neither memory nor a transaction waits
-- for a slow client. Unlogged: what a crash interrupts is sent again.
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
