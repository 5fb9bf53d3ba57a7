-- A time as the services write it: 2026-11-15T12:00:00.123Z.
create or replace function platform.iso_time(p_time timestamptz) returns text language sql stable as $$
  select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- The UUIDv7 of a tick: 48 bits of milliseconds, a counter of 12 bits within them, and `p_rest`.
create or replace function platform.event_id(p_tick bigint, p_rest text) returns uuid language sql immutable as $$
  select (lpad(to_hex(p_tick >> 12), 12, '0') || '7' || lpad(to_hex(p_tick & 4095), 3, '0') || p_rest)::uuid
$$;

-- The last id that a service has given out, or one that comes before all of them.
create or replace function platform.last_event_id(p_service text) returns uuid language sql stable as $$
  select platform.event_id(coalesce((select tick from platform.event_clocks where service = p_service), 0),
    'bfffffffffffffff')
$$;

-- Gives ids to committed events that have none, up to `p_limit`, in the order in which they were written, and returns the
-- new ids. Locks the clock of the service until the transaction ends: whoever sees an id has seen all smaller ones, however
-- late their events were committed.
--
-- The tick of an event is the millisecond in which it was written, or the one after the tick before it, whichever is later.
--
-- Each event is found by its key. As one statement that joins them, this was planned by an estimate of how many events have
-- no id, which is far too low where many were written since the table was last analyzed.
create or replace function platform.number_events(p_service text, p_limit int) returns uuid[] language plpgsql as $$
declare
  v_tick bigint;
  v_id uuid;
  v_ids uuid[] := '{}';
  v_event record;
begin
  insert into platform.event_clocks (service, tick) values (p_service, 0) on conflict do nothing;
  select tick into v_tick from platform.event_clocks where service = p_service for update;
  for v_event in
    select seq, floor(extract(epoch from created_at) * 1000)::bigint * 4096 as tick
    from platform.events where service = p_service and id is null order by seq limit p_limit
  loop
    v_tick := greatest(v_tick + 1, v_event.tick);
    v_id := platform.event_id(v_tick, substr(replace(gen_random_uuid()::text, '-', ''), 17));
    update platform.events set id = v_id where service = p_service and seq = v_event.seq and id is null;
    -- It may have been removed since, because of its age.
    if found then v_ids := v_ids || v_id; end if;
  end loop;
  if v_ids <> '{}' then update platform.event_clocks set tick = v_tick where service = p_service; end if;
  return v_ids;
end $$;
