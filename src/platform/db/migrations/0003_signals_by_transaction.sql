-- Nodes that poll read by transaction instead of by time: a signal counts from its commit, however long that took.
alter table platform.signals
  add column transaction xid8 not null default pg_current_xact_id(),
  alter column created_at set default clock_timestamp();
create index signals_transaction on platform.signals (transaction);
