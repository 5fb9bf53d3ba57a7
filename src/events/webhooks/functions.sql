-- Records the outcome of attempts: {id, webhook_id, status, due_at, response_status, response_time_ms, response_body,
-- error}. One that stays pending is due again at `due_at`; behind one that does not, the next of its subject becomes due.
-- Locks the queue of the service, shared: nobody queues meanwhile, so that none is overlooked.
create or replace function platform.finish_deliveries(p_service text, p_now timestamptz, p_finished json) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7482004, hashtext(p_service));
  with finished as (
    update platform.deliveries d set status = f.status, attempts = d.attempts + 1, due_at = f.due_at,
      response_status = f.response_status, response_time_ms = f.response_time_ms, response_body = f.response_body,
      error = f.error
    from json_to_recordset(p_finished) as f (id uuid, webhook_id uuid, status text, due_at timestamptz,
      response_status int, response_time_ms int, response_body text, error text)
    where d.id = f.id and d.status = 'pending'
    returning d.id, d.webhook_id, d.subject, d.status
  )
  update platform.deliveries d set due_at = p_now
  from finished f cross join lateral (
    select n.id from platform.deliveries n
    where n.webhook_id = f.webhook_id and n.subject = f.subject and n.status = 'pending' and n.id <> f.id
    order by n.position limit 1) n
  where f.status <> 'pending' and d.id = n.id;
  update platform.webhooks w set failing_since = case when f.is_well then null else coalesce(w.failing_since, p_now) end
  from (select webhook_id, bool_or(status = 'succeeded') as is_well
    from json_to_recordset(p_finished) as f (webhook_id uuid, status text) group by 1) f
  where w.id = f.webhook_id and f.is_well = (w.failing_since is not null);
end $$;
