-- Adds an API key unless the account has `p_max` active ones; returns its id, or null. The lock on the account makes the
-- number exact.
create or replace function publishing.create_key(
  p_user bigint, p_name text, p_prefix text, p_hash bytea, p_daily_limit int, p_max int, p_now timestamptz
) returns bigint
language plpgsql as $$
declare
  key_id bigint;
begin
  perform from publishing.users where id = p_user for no key update;
  insert into publishing.api_keys (user_id, name, key_prefix, hash, daily_post_limit, posts_day, created_at)
    select p_user, p_name, p_prefix, p_hash, p_daily_limit, (p_now at time zone 'UTC')::date, p_now
    where (select count(*) from publishing.api_keys where user_id = p_user and revoked_at is null) < p_max
    returning id into key_id;
  return key_id;
end $$;
