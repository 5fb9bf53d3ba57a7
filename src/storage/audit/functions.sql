-- Keeps storage.audit_counts equal to the number of rows in storage.audit_logs, in the transaction that changes them.
create or replace function storage.count_audit_rows() returns trigger language plpgsql as $$
begin
  insert into storage.audit_counts as c (org_id, action, slot, rows)
  select org_id, action, pg_backend_pid() % 32, case tg_op when 'DELETE' then -count(*) else count(*) end
  from changed group by org_id, action order by org_id, action
  on conflict (org_id, action, slot) do update set rows = c.rows + excluded.rows;
  return null;
end $$;

create or replace trigger audit_rows_added after insert on storage.audit_logs
  referencing new table as changed for each statement execute function storage.count_audit_rows();
create or replace trigger audit_rows_removed after delete on storage.audit_logs
  referencing old table as changed for each statement execute function storage.count_audit_rows();
