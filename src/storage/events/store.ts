import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { PolicyStatement } from '../policies/schema.ts'

export const listManagers = (q: Sql, orgId: string) => q<
  { id: string; email: string; role: 'owner' | 'admin' }[]
>`
  select id, email, role from storage.users where org_id = ${orgId} and role in ('owner', 'admin') order by created_at, id`

/** Somebody who manages the webhooks of an organization, and who keeps that right until the transaction ends. */
export const holdManager = (q: Sql, orgId: string, userId: string) =>
  maybeOne(q<{ id: string; name: string }[]>`
    select id, full_name as name from storage.users
    where org_id = ${orgId} and id = ${userId} and role in ('owner', 'admin') for share`)

type DeletedBucket = {
  id: string
  name: string
  visibility: 'private' | 'public'
  policy: PolicyStatement[]
}

/** A bucket that was deleted, from the event of that, which may have no id yet: events have one index for each case. */
export const findDeletedBucket = async (q: Sql, orgId: string, id: string) => {
  const which = q`service = 'storage' and owner = ${orgId} and subject = ${`bucket/${id}`} and type = 'bucket.deleted'`
  const found = await maybeOne(q<{ data: DeletedBucket }[]>`
    select data from platform.events where ${which} and id is not null
    union all
    select data from platform.events where ${which} and id is null`)
  return found?.data
}

/** The bucket or the person on which it depends who may read an event. */
export const partOf = (q: Sql) => q`
  coalesce(case split_part(e.type, '.', 1) when 'api_key' then e.data ->> 'user_id' when 'bucket' then e.data ->> 'id'
    when 'object' then e.data ->> 'bucket_id' when 'policy' then e.data ->> 'bucket_id' end, '')`
