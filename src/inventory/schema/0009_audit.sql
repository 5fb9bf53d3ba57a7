-- Who changed what, from where; written in the transaction of the change. What stock, orders and serials go through is in
-- their own ledgers, which name the person, too.
create table inventory.audit_logs (
  id bigint generated always as identity,
  tenant_id bigint not null,
  action text collate "C" not null,
  resource_type text not null,
  resource_id text,
  -- Neither: the operator.
  user_id bigint,
  api_key_id bigint,
  ip_address text not null,
  details jsonb not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index audit_logs_action on inventory.audit_logs (tenant_id, action, id);
create index audit_logs_user on inventory.audit_logs (tenant_id, user_id, id);
create index audit_logs_time on inventory.audit_logs (tenant_id, created_at);
