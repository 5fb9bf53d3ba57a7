-- The bytes an organization has sent in the month of `moment`. The counter is only reset by the first download of a month.
create or replace function storage.bandwidth_in_month(o storage.organizations, moment timestamptz) returns bigint
language sql stable as $$
  select case when (o).bandwidth_month = date_trunc('month', moment at time zone 'UTC')::date
    then (o).bandwidth_used_bytes else 0 end
$$;

-- Keeps how the last day ended when the first change of another day begins to count anew.
create or replace function storage.close_usage_day() returns trigger language plpgsql as $$
begin
  insert into storage.usage_days (org_id, day, stored_bytes, object_count, uploaded_bytes, downloaded_bytes,
    bandwidth_used_bytes)
  values (old.id, old.usage_day, old.storage_used_bytes, old.object_count, old.day_uploaded_bytes,
    old.day_downloaded_bytes, storage.bandwidth_in_month(old, old.usage_day::timestamp at time zone 'UTC'));
  return null;
end $$;
create or replace trigger usage_day_closed after update of usage_day on storage.organizations
  for each row when (new.usage_day > old.usage_day) execute function storage.close_usage_day();

-- Warns an organization of which a quota is used by 80 or by 95 per cent, once until it has fallen below.
create or replace function storage.warn_of_quota() returns trigger language plpgsql as $$
begin
  insert into platform.events (service, owner, type, subject, data)
  select 'storage', new.id::text, 'quota.warning', 'organization/' || new.id,
    json_build_object('kind', kind, 'percent', level, 'used_bytes', used, 'quota_bytes', quota)
  from (values
    ('storage', old.storage_level, new.storage_level, new.storage_used_bytes, new.storage_quota_bytes),
    ('bandwidth', old.bandwidth_level, new.bandwidth_level, new.bandwidth_used_bytes, new.bandwidth_quota_bytes)
  ) as quotas (kind, previous_level, level, used, quota)
  where level > previous_level;
  return null;
end $$;
create or replace trigger quota_warning after update of storage_used_bytes, storage_quota_bytes, bandwidth_used_bytes,
    bandwidth_quota_bytes on storage.organizations
  for each row when (new.storage_level > old.storage_level or new.bandwidth_level > old.bandwidth_level)
  execute function storage.warn_of_quota();
