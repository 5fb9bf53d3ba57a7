-- What the functions of all services share.

-- Refuses what a client asked for, for a machine-readable reason. A module of the service declares the status and the words
-- for it, with `p_details` filled in: see refusals.ts.
create or replace function platform.refuse(p_reason text, p_details jsonb default '{}') returns void language plpgsql as $$
begin
  raise exception using errcode = 'TRREF', message = p_reason, detail = p_details;
end $$;

-- Tells every node, when the transaction commits, that something cached under a key has changed. Sessions of a pooler cannot
-- listen, so signals are rows there; a session that is not a pooler's says so by a setting.
create or replace function platform.signal(p_topic text, p_key text) returns void language plpgsql as $$
begin
  if current_setting('trivet.is_direct', true) = 'on' then
    perform pg_notify('trivet_signals', p_topic || ' ' || p_key);
  else
    insert into platform.signals (payload) values (p_topic || ' ' || p_key);
  end if;
end $$;
