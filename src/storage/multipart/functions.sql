-- Starts an upload, which counts from now on, and returns it.
create or replace function storage.start_upload(p_org uuid, p_bucket uuid, p_upload uuid, p_key text, p_type text,
  p_metadata jsonb, p_headers jsonb, p_tags jsonb, p_checksum jsonb, p_size bigint, p_now timestamptz, p_audit uuid,
  p_actor uuid, p_ip text)
returns storage.uploads language plpgsql as $$
declare
  u storage.uploads;
begin
  insert into storage.uploads (id, org_id, bucket_id, object_key, content_type, metadata, headers, tags, checksum,
    total_size_bytes, created_at)
  select p_upload, org_id, id, p_key, p_type, p_metadata, p_headers, p_tags, p_checksum, p_size, p_now
  from storage.buckets where org_id = p_org and id = p_bucket returning * into u;
  if not found then perform platform.refuse('bucket_not_found'); end if;
  insert into storage.audit_logs
    (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at)
  values (p_audit, p_org, 'multipart.initiated', 'multipart', p_upload, p_actor, p_ip,
    jsonb_build_object('bucketId', p_bucket, 'objectKey', p_key), p_now);
  perform storage.add_usage(p_org, array[(p_bucket, 0, 0, 1, 0, 1)::storage.usage_change], p_now, true, 0);
  return u;
end $$;

-- Stores a part of a pending upload, in place of one with the same number. Returns the status of the upload, null if there
-- is none: nothing is stored unless it is pending. Parts may be stored concurrently; ending the upload waits for them, and
-- they wait for it. Of two clients that send the same part, the second waits for the first.
create or replace function storage.put_part(p_org uuid, p_bucket uuid, p_upload uuid, p_expiry timestamptz,
  p_number int, p_blob uuid, p_size bigint, p_md5 bytea, p_data bytea, p_piece_sums bytea, p_checksum jsonb,
  p_now timestamptz)
returns text language plpgsql as $$
declare
  v_status text;
  v_previous record;
  v_growth bigint;
begin
  select case when status = 'pending' and created_at <= p_expiry then 'failed' else status end into v_status
  from storage.uploads where org_id = p_org and bucket_id = p_bucket and id = p_upload for share;
  if v_status is distinct from 'pending' then return v_status; end if;

  perform pg_advisory_xact_lock(hashtextextended(p_upload || '/' || p_number, 0));
  select blob_id, size_bytes into v_previous from storage.parts where upload_id = p_upload and part_number = p_number;
  insert into storage.blobs (id, org_id, size_bytes, md5, data, piece_sums, checksum, created_at)
  values (p_blob, p_org, p_size, p_md5, p_data, p_piece_sums, p_checksum, p_now);
  insert into storage.parts (org_id, upload_id, part_number, blob_id, size_bytes, md5, stored_at)
  values (p_org, p_upload, p_number, p_blob, p_size, p_md5, p_now)
  on conflict (upload_id, part_number) do update
    set blob_id = excluded.blob_id, size_bytes = excluded.size_bytes, md5 = excluded.md5,
      stored_at = excluded.stored_at;
  if v_previous.blob_id is not null then
    perform storage.count_references('{}', array[v_previous.blob_id], p_now);
  end if;
  v_growth := p_size - coalesce(v_previous.size_bytes, 0);
  perform storage.add_usage(p_org, array[(p_bucket, 0, 0, 0, v_growth, 0)::storage.usage_change], p_now, true, p_size);
  return v_status;
end $$;

-- Ends a pending upload with an object. `p_parts` are the blobs of all its parts, as the caller has seen them: if they, or
-- the upload, have changed since, the refusal is `source_changed`. `p_names` and `p_write` are those of `write_objects`,
-- whose result it returns.
create or replace function storage.complete_upload(p_org uuid, p_bucket uuid, p_upload uuid, p_expiry timestamptz,
  p_parts uuid[], p_names text[], p_write jsonb, p_now timestamptz, p_audit uuid, p_actor uuid, p_ip text)
returns table (refusal text, previous_id uuid, created_at timestamptz, unversioned boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_unused uuid[];
begin
  perform from storage.uploads u
  where u.org_id = p_org and u.bucket_id = p_bucket and u.id = p_upload and u.status = 'pending' and u.created_at > p_expiry
  for update;
  if not found or p_parts <> array(
    select blob_id from storage.parts where upload_id = p_upload order by part_number) then
    refusal := 'source_changed';
    return next;
    return;
  end if;

  select w.refusal, w.previous_id, w.created_at, w.unversioned into refusal, previous_id, created_at, unversioned
  from storage.write_objects(p_org, p_names, jsonb_build_array(p_write), '') w;
  return next;
  if refusal is not null then return; end if;

  delete from storage.parts where upload_id = p_upload;
  v_unused := array(select unnest(p_parts) except select value::uuid from jsonb_array_elements_text(p_write -> 'blobs'));
  if cardinality(v_unused) > 0 then perform storage.count_references('{}', v_unused, p_now); end if;
  update storage.uploads set status = 'completed', ended_at = p_now,
    object_id = coalesce(complete_upload.previous_id, (p_write ->> 'id')::uuid), version_id = (p_write ->> 'version')::uuid
  where id = p_upload;
  insert into storage.audit_logs
    (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at)
  values (p_audit, p_org, 'multipart.completed', 'multipart', p_upload, p_actor, p_ip,
    jsonb_build_object('bucketId', p_write -> 'bucket', 'objectKey', p_write -> 'key'), p_now);
end $$;
