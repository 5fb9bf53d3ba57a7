-- Locks names until the transaction ends, always in the same order.
create or replace function storage.lock_names(p_names text[]) returns void language sql as $$
  select pg_advisory_xact_lock(hash)
  from (select distinct hashtextextended(name, 0) as hash from unnest(p_names) as name order by 1) held
$$;
