-- The bytes an organization has sent in the month of `moment`. The counter is only reset by the first download of a month.
create or replace function storage.bandwidth_in_month(o storage.organizations, moment timestamptz) returns bigint
language sql stable as $$
  select case when (o).bandwidth_month = date_trunc('month', moment at time zone 'UTC')::date
    then (o).bandwidth_used_bytes else 0 end
$$;
