-- What the functions of all services share.

-- Refuses what a client asked for, for a machine-readable reason. A module of the service declares the status and the words
-- for it, with `p_details` filled in: see refusals.ts.
create or replace function platform.refuse(p_reason text, p_details jsonb default '{}') returns void language plpgsql as $$
begin
  raise exception using errcode = 'TRREF', message = p_reason, detail = p_details;
end $$;
