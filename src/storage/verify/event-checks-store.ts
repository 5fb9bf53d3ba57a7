import type { Fragment, Sql } from '#platform/db/database.ts'

type Row = { subject: string; detail: string }

/** The last event of each subject of a kind. The events of a subject are removed oldest first. */
const last = (q: Sql, kind: string, types: string) => q`
  select distinct on (subject) split_part(subject, '/', 2)::uuid as id, type, data from platform.events
  where service = 'storage' and subject like ${`${kind}/%`} and type like ${`${types}.%`}
  order by subject, seq desc`

/**
 * What is stored, as `id`, `org_id` and `since`, without an event of its kind. Removal is told by the id of the last event that
 * was removed, which begins with its time in milliseconds.
 */
const withoutEvent = (q: Sql, kind: string, stored: Fragment) => q`
  with removed as (
    select owner, max(to_timestamp(('x' || translate(left(removed_id::text, 13), '-', ''))::bit(48)::bigint / 1000)) as until
    from platform.event_horizons where service = 'storage' and type like ${`${kind}.%`} group by owner)
  select ${kind}::text || '/' || s.id as subject, 'has no event' as detail
  from (${stored}) s left join (${last(q, kind, kind)}) e on e.id = s.id
  left join removed r on r.owner = s.org_id::text
  where e.id is null and (r.until is null or s.since > r.until + interval '1 day')`

/** Events agree with what is stored: none is missing, and none tells of what did not happen. */
export const eventChecks: Record<string, (q: Sql) => Promise<readonly Row[]>> = {
  'the last event of an object agrees with it': (q) => q<Row[]>`
    select 'object/' || e.id as subject, case when o.id is null then e.type || ', but there is no such object'
      else format('%s of %L, %s bytes; it is %L, %s bytes%s', e.type, e.data ->> 'object_key', e.data ->> 'size_bytes',
        o.object_key, o.size_bytes, case when o.deleted_at is not null then ', deleted' end) end as detail
    from (${last(q, 'object', 'object')}) e left join storage.objects o on o.id = e.id
    where (e.type = 'object.purged') <> (o.id is null) or o.id is not null and
      (o.bucket_id::text, o.object_key, o.etag, o.size_bytes::text, o.deleted_at is not null)
      <> (e.data ->> 'bucket_id', e.data ->> 'object_key', e.data ->> 'etag', e.data ->> 'size_bytes',
        (e.data ->> 'is_deleted')::boolean)`,

  'every object has an event, unless it was removed with its time': (q) =>
    q<Row[]>`${withoutEvent(q, 'object', q`select id, org_id, updated_at as since from storage.objects`)}`,

  'every bucket has an event, unless it was removed with its time': (q) =>
    q<Row[]>`${withoutEvent(q, 'bucket', q`select id, org_id, created_at as since from storage.buckets`)}`,

  'every key has an event, unless it was removed with its time': (q) =>
    q<Row[]>`${withoutEvent(q, 'api_key', q`select id, org_id, created_at as since from storage.api_keys`)}`,

  'nothing is created twice': (q) => q<Row[]>`
    select subject, format('%s events %s', count(*), type) as detail from platform.events
    where service = 'storage' and type in ('bucket.created', 'object.created', 'api_key.created')
    group by subject, type having count(*) > 1`,

  'the last event of a bucket agrees with it': (q) => q<Row[]>`
    select 'bucket/' || e.id as subject, format('%s of %s, but there is %s', e.type, e.data ->> 'name',
      case when b.id is null then 'none' else format('%s, %s', b.name, b.visibility) end) as detail
    from (${last(q, 'bucket', 'bucket')}) e left join storage.buckets b on b.id = e.id
    where (e.type = 'bucket.deleted') <> (b.id is null) or b.id is not null and
      (b.name, b.visibility, b.versioning_enabled::text, b.storage_quota_bytes::text) is distinct from
      (e.data ->> 'name', e.data ->> 'visibility', e.data ->> 'versioning_enabled', e.data ->> 'storage_quota_bytes')`,

  'the last event of a key agrees with it': (q) => q<Row[]>`
    select 'api_key/' || e.id as subject, e.type || case when k.id is null then ', but it is not live'
      else ', but it is live' end as detail
    from (${last(q, 'api_key', 'api_key')}) e
    left join storage.api_keys k on k.id = e.id and k.revoked_at is null
    where (e.type = 'api_key.revoked') <> (k.id is null)`,

  'the last event of a member agrees with them': (q) => q<Row[]>`
    select 'member/' || e.id as subject, format('%s, %s; %s', e.type, e.data ->> 'role',
      case when u.id is null then 'there is no such member' else 'the role is ' || u.role end) as detail
    from (${last(q, 'member', 'member')}) e left join storage.users u on u.id = e.id
    where (e.type = 'member.removed') <> (u.id is null) or u.id is not null and
      (u.role, u.email, u.full_name) <> (e.data ->> 'role', e.data ->> 'email', e.data ->> 'full_name')`,

  'the last event of a policy agrees with it': (q) => q<Row[]>`
    select 'bucket/' || e.id as subject, format('%s, but the policy is %s', e.data -> 'statements', b.policy) as detail
    from (${last(q, 'bucket', 'policy')}) e join storage.buckets b on b.id = e.id
    where b.policy <> (e.data -> 'statements')::jsonb`,

  'the last event of a plan agrees with it': (q) => q<Row[]>`
    select 'organization/' || e.id as subject, format('%s, but it is %s', e.data, to_json(o)) as detail
    from (${last(q, 'organization', 'plan')}) e join storage.organizations o on o.id = e.id
    where (o.storage_tier::text, o.bandwidth_tier::text, o.storage_quota_bytes::text, o.bandwidth_quota_bytes::text)
      is distinct from (e.data ->> 'storage_tier', e.data ->> 'bandwidth_tier', e.data ->> 'storage_quota_bytes',
        e.data ->> 'bandwidth_quota_bytes')`,
}
