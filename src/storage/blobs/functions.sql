-- Counts references to blobs: one more for each mention in `p_added`, one less for each in `p_removed`. A blob without
-- references waits to be collected. Blobs are always locked in the order of their ids.
create or replace function storage.count_references(p_added uuid[], p_removed uuid[], p_now timestamptz)
returns void language sql as $$
  update storage.blobs b
  set refs = b.refs + held.change, released_at = case when b.refs + held.change = 0 then p_now end
  from (
    select b.id, m.change from (
      select id, sum(step)::int as change from (
        select unnest(p_added) as id, 1 as step union all select unnest(p_removed), -1) mentions
      group by id) m
    join storage.blobs b on b.id = m.id
    order by b.id for no key update of b
  ) held
  where b.id = held.id
$$;
