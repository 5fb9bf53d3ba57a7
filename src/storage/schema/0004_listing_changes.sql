-- Which keys came and went lately. A number of matches that was counted once is kept true by what changed since,
-- instead of being counted again.
create table storage.listing_changes (
  bucket_id uuid not null,
  id bigint generated always as identity,
  object_key text collate "C" not null,
  is_live boolean not null,
  step smallint not null check (step in (-1, 1)),
  -- By the clock of the database, which is also what old changes are forgotten by.
  noted_at timestamptz not null default now(),
  primary key (bucket_id, id)
);

create function storage.note_listing_change() returns trigger language plpgsql as $$
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

-- At the very end of a transaction, when it has counted what it changed and so holds the row of the bucket: within
-- a bucket the ids are drawn in the order in which the transactions become visible.
create constraint trigger objects_noted
  after insert or delete or update of bucket_id, object_key, deleted_at on storage.objects
  deferrable initially deferred for each row execute function storage.note_listing_change();
