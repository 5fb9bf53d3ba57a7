-- Objects, versions, uploads, policies.

alter table storage.buckets
  -- Every byte kept for this bucket: live, soft-deleted, earlier versions, parts of pending uploads.
  add column retained_bytes bigint not null default 0 check (retained_bytes >= 0),
  add column policy jsonb not null default '[]';

alter table storage.organizations
  -- The month (its first day, UTC) that bandwidth_used_bytes counts.
  add column bandwidth_month date not null default '1970-01-01';

-- What an organization has sent in the month of a moment: the counter is not reset before something is sent again.
create function storage.bandwidth_in_month(o storage.organizations, moment timestamptz) returns bigint
language sql stable as $$
  select case when (o).bandwidth_month = date_trunc('month', moment at time zone 'UTC')::date
    then (o).bandwidth_used_bytes else 0 end
$$;

-- How far jobs that go round in portions have come.
create table storage.progress (job text primary key, position uuid not null);

-- Immutable runs of bytes. Small ones are kept here, larger ones in the blob engine under the same id.
create table storage.blobs (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  size_bytes bigint not null check (size_bytes >= 0),
  md5 bytea not null,
  data bytea,
  -- How many contents (objects, versions, parts) hold it; at zero it is collected after a grace period.
  refs int not null default 1 check (refs >= 0),
  released_at timestamptz(3),
  damaged_at timestamptz(3),
  created_at timestamptz(3) not null,
  check ((refs = 0) = (released_at is not null))
);
-- Bytes are stored as they are: trying to compress what clients upload costs more than it saves.
alter table storage.blobs alter column data set storage external;
create index blobs_released on storage.blobs (released_at) where refs = 0;

create table storage.objects (
  id uuid primary key,
  org_id uuid not null,
  bucket_id uuid not null,
  object_key text collate "C" not null,
  version_id uuid not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  etag text not null,
  metadata jsonb not null,
  blobs uuid[] not null,
  -- When the current content was stored; updated_at also moves with delete and recover.
  stored_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  foreign key (org_id, bucket_id) references storage.buckets (org_id, id),
  unique (org_id, id)
);
-- A key may have 4096 bytes, more than an index entry holds, so indexes carry its first 600 characters
-- and, where it must be unique, a hash of the whole.
create unique index objects_live on storage.objects (bucket_id, left(object_key, 600), hashtextextended(object_key, 0))
  where deleted_at is null;
create index objects_deleted on storage.objects (bucket_id, left(object_key, 600), deleted_at desc)
  where deleted_at is not null;
create index objects_purgeable on storage.objects (deleted_at) where deleted_at is not null;
create index objects_search on storage.objects using gin (object_key gin_trgm_ops);

-- Earlier contents of an object.
create table storage.versions (
  id uuid primary key,
  org_id uuid not null,
  object_id uuid not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  etag text not null,
  metadata jsonb not null,
  blobs uuid[] not null,
  stored_at timestamptz(3) not null,
  replaced_at timestamptz(3) not null,
  foreign key (org_id, object_id) references storage.objects (org_id, id)
);
create index versions_newest on storage.versions (object_id, id desc);
create index versions_purgeable on storage.versions (replaced_at);

create table storage.uploads (
  id uuid primary key,
  org_id uuid not null,
  bucket_id uuid not null,
  object_key text collate "C" not null,
  content_type text not null,
  metadata jsonb not null,
  total_size_bytes bigint,
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  object_id uuid,
  version_id uuid,
  created_at timestamptz(3) not null,
  foreign key (org_id, bucket_id) references storage.buckets (org_id, id),
  unique (org_id, id)
);
create index uploads_newest on storage.uploads (org_id, id desc);
create index uploads_of_bucket on storage.uploads (bucket_id);
create index uploads_pending on storage.uploads (created_at) where status = 'pending';

create table storage.parts (
  org_id uuid not null,
  upload_id uuid not null,
  part_number int not null check (part_number between 1 and 10000),
  blob_id uuid not null,
  size_bytes bigint not null,
  md5 bytea not null,
  primary key (upload_id, part_number),
  foreign key (org_id, upload_id) references storage.uploads (org_id, id)
);
