-- Records in storage.listing_changes which keys appear in lists, or disappear from them.
create or replace function storage.note_listing_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into storage.listing_changes (bucket_id, object_key, is_live, step)
    values (old.bucket_id, old.object_key, old.deleted_at is null, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into storage.listing_changes (bucket_id, object_key, is_live, step)
    values (new.bucket_id, new.object_key, new.deleted_at is null, 1);
  end if;
  return null;
end $$;

-- Deferred to the end of the transaction, when it holds the lock on the bucket's row: within a bucket, ids are
-- assigned in the order in which transactions become visible. A constraint trigger cannot be replaced, only made anew.
drop trigger if exists objects_noted on storage.objects;
create constraint trigger objects_noted
  after insert or delete or update of bucket_id, object_key, deleted_at on storage.objects
  deferrable initially deferred for each row execute function storage.note_listing_change();
