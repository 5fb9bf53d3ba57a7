create domain storage.visibility as text check (value in ('private', 'public'));
create domain storage.reference_count as int check (value >= 0);
create domain storage.step as smallint check (value in (-1, 1));
create domain storage.upload_status as text check (value in ('pending', 'completed', 'failed'));
create domain storage.part_number as int check (value between 1 and 10000);

create table storage.buckets (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  name text collate "C" not null,
  visibility storage.visibility not null,
  versioning_enabled boolean not null,
  -- Whether versioning was ever enabled.
  has_had_versions boolean not null default false,
  region text not null,
  policy jsonb not null default '[]',
  -- The document that the policy was translated from, if it was, for clients that want it back as they wrote it.
  policy_document text,
  tags jsonb not null default '[]',
  -- Which web pages may use it from a browser, by rules.
  cors jsonb not null default '[]',
  -- What keeps it from being public, whatever else says that it is; null if nothing was ever said.
  public_access_block jsonb,
  -- Kept for its clients; here the organization owns every object.
  object_ownership text,
  -- The rules by which its contents go by themselves; null: those that every bucket begins with.
  lifecycle jsonb,
  -- When they were applied to all of it.
  swept_at timestamptz(3),
  -- Which run is applying them, and until when nobody else may. It expires if the process dies.
  sweep_id uuid,
  sweeping_until timestamptz,
  storage_quota_bytes bigint,
  object_count storage.amount not null default 0,
  total_size_bytes storage.amount not null default 0,
  -- Every byte kept for this bucket: live and soft-deleted objects, earlier versions, parts of pending uploads.
  retained_bytes storage.amount not null default 0,
  -- What is kept for it: objects, live and deleted, versions, markers and pending uploads.
  retained_objects storage.amount not null default 0,
  created_at timestamptz(3) not null,
  constraint buckets_name_key unique (org_id, name),
  unique (org_id, id)
);
create index buckets_newest on storage.buckets (org_id, id desc);
create index buckets_sweeping on storage.buckets (id) where sweep_id is not null;

-- By how much the counters of a bucket and its organization change: live objects and their bytes, everything that is kept
-- and its bytes, and those among it that are pending uploads.
create type storage.usage_change as (
  bucket uuid, objects bigint, live bigint, retained_objects bigint, retained_bytes bigint, uploads bigint);

-- A content that is to be stored under a key: `freed` bytes and `uploads` become it, `blob_at` is where the bytes of its blob
-- begin if they are small and new, `source_…` say what it is a copy of. What `write_objects` decides about it: why it is
-- refused, what it replaces, whether that is kept, and by how much the retained bytes and contents grow.
create type storage.object_write as (
  n int, now timestamptz, bucket uuid, key text, id uuid, version uuid, type text, size bigint, etag text,
  metadata jsonb, headers jsonb, tags jsonb, checksum jsonb, blobs uuid[], keep boolean, keep_versions boolean,
  freed bigint, uploads int, only_if text[], unless text[], is_expected boolean, expected_id uuid,
  blob_at int, md5 text, piece_sums text,
  source_id uuid, source_version uuid, source_bucket uuid, source_key text, source_is_version boolean,
  audit_id uuid, action text, reason text, actor uuid, ip text, payload jsonb);
create type storage.decided_write as (
  w storage.object_write, refusal text, previous_id uuid, previous_size bigint, previous_blobs uuid[],
  previous_created_at timestamptz, versioning_enabled boolean, has_had_versions boolean, keeps boolean, growth bigint,
  more int);

-- A key whose live object is to be deleted, and what `delete_objects` decides about it. `unversioned`: its marker replaces what
-- the key has without versioning.
create type storage.object_deletion as (
  n int, now timestamptz, bucket uuid, key text, version uuid, marker uuid, marks boolean, only_if text[], unless text[],
  audit_id uuid, actor uuid, ip text);
create type storage.decided_deletion as (
  d storage.object_deletion, refusal text, id uuid, size bigint, has_had_versions boolean, unversioned boolean);

-- Immutable runs of bytes. Small ones are kept here, larger ones in the blob engine under the same id.
create table storage.blobs (
  id uuid primary key,
  org_id uuid not null references storage.organizations,
  size_bytes storage.amount not null,
  md5 bytea not null,
  data bytea,
  -- Of a large blob: a checksum of four bytes for every 256 KiB, so that a range can be verified without reading the rest.
  piece_sums bytea,
  -- Of a part of an upload: what its client has verified it with, if anything.
  checksum jsonb,
  -- How many contents (objects, versions, parts) reference it; at zero it is collected after a grace period.
  refs storage.reference_count not null default 1,
  released_at timestamptz(3),
  damaged_at timestamptz(3),
  created_at timestamptz(3) not null,
  check ((refs = 0) = (released_at is not null))
);
-- Not compressed: trying to compress what clients upload costs more than it saves.
alter table storage.blobs alter column data set storage external, alter column piece_sums set storage external;
create index blobs_released on storage.blobs (released_at) where refs = 0;
create index blobs_damaged on storage.blobs (id) where damaged_at is not null;

-- Orders what was stored and deleted under a key, whatever the clocks say: positions are taken while the key is locked.
create sequence storage.positions;

create table storage.objects (
  id uuid primary key,
  org_id uuid not null,
  bucket_id uuid not null,
  object_key text collate "C" not null,
  version_id uuid not null,
  -- Of the current content in the history of its key.
  position bigint not null default nextval('storage.positions'),
  -- The current content was stored without versioning. Of a key, at most one content or marker is like that.
  unversioned boolean not null default false,
  content_type text not null,
  size_bytes storage.amount not null,
  etag text not null,
  metadata jsonb not null,
  -- Headers of its downloads that were sent with the upload, such as cache-control, by their names.
  headers jsonb not null default '{}',
  -- Texts by name. Unlike the rest, they can be changed without a new content.
  tags jsonb not null default '[]',
  -- What a client has verified its content with, if anything: algorithm, value and type.
  checksum jsonb,
  blobs uuid[] not null,
  -- When the current content was stored; updated_at also changes with delete and recover.
  stored_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- The marker that hides it. Without one, a deleted object has left the history of its key: its bucket never had versions.
  marker_id uuid,
  check (deleted_at is not null or marker_id is null),
  foreign key (org_id, bucket_id) references storage.buckets (org_id, id),
  unique (org_id, id)
);
-- A key may have 4096 bytes, more than an index entry holds, so indexes hold its first 600 characters and, where it must
-- be unique, a hash of all of it.
create unique index objects_live on storage.objects (bucket_id, left(object_key, 600), hashtextextended(object_key, 0))
  where deleted_at is null;
create index objects_deleted on storage.objects (bucket_id, left(object_key, 600), deleted_at desc)
  where deleted_at is not null;
create index objects_purgeable on storage.objects (bucket_id, deleted_at, id) where deleted_at is not null;
-- The trigram index also supports equality, at a thousand times the cost of a key index, and the planner underestimates
-- that. On an expression it is considered for searches only.
create index objects_search on storage.objects using gin ((object_key || '') gin_trgm_ops);
-- For the foreign key: deleting a bucket looks for its objects. The organization comes first although the bucket alone
-- would do: no query about keys names it, so that the planner never prefers this index to those of keys. The time is for
-- rules about old objects. Unlike that of the content it never changes, so that overwriting touches no index.
create index objects_of_bucket on storage.objects (org_id, bucket_id, created_at, id);

-- Earlier contents of an object.
create table storage.versions (
  id uuid primary key,
  org_id uuid not null,
  -- That of its object.
  bucket_id uuid not null,
  object_id uuid not null,
  position bigint not null,
  unversioned boolean not null default false,
  content_type text not null,
  size_bytes storage.amount not null,
  etag text not null,
  metadata jsonb not null,
  headers jsonb not null default '{}',
  tags jsonb not null default '[]',
  checksum jsonb,
  blobs uuid[] not null,
  stored_at timestamptz(3) not null,
  replaced_at timestamptz(3) not null,
  foreign key (org_id, object_id) references storage.objects (org_id, id)
);
create index versions_newest on storage.versions (object_id, position desc);
create index versions_unversioned on storage.versions (object_id) where unversioned;
create index versions_purgeable on storage.versions (bucket_id, replaced_at, id);

-- Deletions in buckets that have, or have had, versions. A marker hides the object that was deleted, if there was one.
create table storage.markers (
  id uuid primary key,
  org_id uuid not null,
  bucket_id uuid not null,
  object_key text collate "C" not null,
  position bigint not null default nextval('storage.positions'),
  unversioned boolean not null default false,
  marked_at timestamptz(3) not null,
  foreign key (org_id, bucket_id) references storage.buckets (org_id, id)
);
create index markers_of_key on storage.markers (bucket_id, left(object_key, 600), position desc);
create index markers_unversioned on storage.markers (bucket_id, left(object_key, 600)) where unversioned;
create index markers_purgeable on storage.markers (bucket_id, marked_at, id);

-- Keys that were added or removed recently. A count of matches is brought up to date with what changed since,
-- instead of being counted again.
create table storage.listing_changes (
  bucket_id uuid not null,
  id bigint generated always as identity,
  object_key text collate "C" not null,
  is_live boolean not null,
  step storage.step not null,
  -- By the database's clock, which also decides when a change is old enough to be deleted.
  noted_at timestamptz not null default now(),
  primary key (bucket_id, id)
);

create table storage.uploads (
  id uuid primary key,
  org_id uuid not null,
  bucket_id uuid not null,
  object_key text collate "C" not null,
  content_type text not null,
  metadata jsonb not null,
  headers jsonb not null default '{}',
  tags jsonb not null default '[]',
  -- Which checksum its parts have, and which one the object will have.
  checksum jsonb,
  -- What an import copies with it, so that another run can continue it.
  source text,
  total_size_bytes bigint,
  status storage.upload_status not null default 'pending',
  object_id uuid,
  version_id uuid,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((status = 'pending') = (ended_at is null)),
  foreign key (org_id, bucket_id) references storage.buckets (org_id, id),
  unique (org_id, id)
);
create index uploads_newest on storage.uploads (org_id, id desc);
create index uploads_of_bucket on storage.uploads (bucket_id);
create index uploads_pending on storage.uploads (bucket_id, created_at) where status = 'pending';
create index uploads_ended on storage.uploads (ended_at) where ended_at is not null;

create table storage.parts (
  org_id uuid not null,
  upload_id uuid not null,
  part_number storage.part_number not null,
  blob_id uuid not null,
  size_bytes bigint not null,
  md5 bytea not null,
  stored_at timestamptz(3) not null,
  primary key (upload_id, part_number),
  foreign key (org_id, upload_id) references storage.uploads (org_id, id)
);

-- How far jobs that work in portions have come, and when they began at the first; `position` is null once they are at the end.
create table storage.progress (job text primary key, position uuid, began_at timestamptz(3) not null);
