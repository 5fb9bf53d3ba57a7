-- Locks names until the transaction ends, always in the same order.
create or replace function storage.lock_names(p_names text[]) returns void language sql as $$
  select pg_advisory_xact_lock(hash)
  from (select distinct hashtextextended(name, 0) as hash from unnest(p_names) as name order by 1) held
$$;

-- Tells every node, when the transaction commits, that the live object of a key has changed, or is gone. Not needed for a
-- new one: that a key has no object is not cached; see heads.ts.
create or replace function storage.signal_object(p_bucket uuid, p_key text) returns void language sql as $$
  select platform.signal('storage.object', p_bucket || '/' || p_key)
$$;

-- An object as the API returns it, for its events.
create or replace function storage.object_json(o storage.objects) returns json language sql stable as $$
  select json_build_object('id', (o).id, 'bucket_id', (o).bucket_id, 'object_key', (o).object_key,
    'content_type', (o).content_type, 'size_bytes', (o).size_bytes, 'etag', (o).etag,
    'is_deleted', (o).deleted_at is not null, 'created_at', platform.iso_time((o).created_at),
    'updated_at', platform.iso_time((o).updated_at), 'metadata', (o).metadata)
$$;

-- Writes down what happened to an object, whose key is locked.
create or replace function storage.add_object_event(p_type text, o storage.objects, p_more jsonb) returns void
language sql as $$
  insert into platform.events (service, owner, type, subject, data)
  values ('storage', (o).org_id::text, p_type, 'object/' || (o).id, (storage.object_json(o)::jsonb || p_more)::json)
$$;
