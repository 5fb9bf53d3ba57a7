-- Keeps storage.audit_counts equal to the number of rows in storage.audit_logs, in the transaction that changes them.
create or replace function storage.count_audit_rows() returns trigger language plpgsql as $$
declare
  v record;
begin
  for v in
    select org_id, action, case tg_op when 'DELETE' then -count(*) else count(*) end as rows
    from changed group by org_id, action
  loop
    update storage.audit_counts c set rows = c.rows + v.rows
    where (c.org_id, c.action, c.slot) = (select s.org_id, s.action, s.slot from storage.audit_counts s
      where s.org_id = v.org_id and s.action = v.action limit 1 for update skip locked);
    if not found then
      insert into storage.audit_counts (org_id, action, rows) values (v.org_id, v.action, v.rows);
    end if;
  end loop;
  return null;
end $$;

create or replace trigger audit_rows_added after insert on storage.audit_logs
  referencing new table as changed for each statement execute function storage.count_audit_rows();
create or replace trigger audit_rows_removed after delete on storage.audit_logs
  referencing old table as changed for each statement execute function storage.count_audit_rows();
