-- When an upload was completed or given up: some time later nobody asks for it any more. Those of before can have
-- ended at most seven days after they began.
alter table storage.uploads add ended_at timestamptz(3);
update storage.uploads set ended_at = created_at + interval '7 days' where status <> 'pending';
alter table storage.uploads add check ((status = 'pending') = (ended_at is null));
create index uploads_ended on storage.uploads (ended_at) where ended_at is not null;

-- Whatever is deleted asks who still refers to it, and without a whole index reads all rows to know. The
-- organization comes first although the bucket alone would do: no query about keys names it, so that none of them
-- takes this index for the quickest way to a key when there are many small buckets.
create index objects_of_bucket on storage.objects (org_id, bucket_id);
create index api_keys_of_user on storage.api_keys (org_id, user_id);
