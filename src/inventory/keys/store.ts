import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type { ApiKey, UsageEntry, UsageQuery } from './schema.ts'

/** What the guard must know of an API key on every request. */
type KnownKey = {
  id: number
  tenantId: number
  /** The key works only while its creator may enter themselves. */
  createdBy: number
  canWrite: boolean
  isRevoked: boolean
  expiresAt: string | null
  subscriptionExpiresAt: string
}

export const findKey = async (q: Sql, hash: Buffer): Promise<KnownKey | undefined> =>
  maybeOne(q<KnownKey[]>`
    select k.id, k.tenant_id as "tenantId", k.created_by as "createdBy", k.can_write as "canWrite",
      k.revoked_at is not null as "isRevoked", inventory.day_start(k.tenant_id, k.expires_on + 1) as "expiresAt",
      t.subscription_expires_at as "subscriptionExpiresAt"
    from inventory.api_keys k join inventory.tenants t on t.id = k.tenant_id where k.hash = ${hash}`)

const permissions = (q: Sql) => q`
  case when can_write then '["read", "write"]'::json else '["read"]'::json end as permissions`

export const listKeys = (q: Sql, tenantId: number, now: Date) => q<ApiKey[]>`
  select *, status = 'active' as is_active from (
    select k.id, k.name, k.key_prefix, ${permissions(q)}, k.expires_on as expires_at, k.last_used_at,
      case when k.revoked_at is not null then 'revoked'
        when inventory.day_start(k.tenant_id, k.expires_on + 1) <= ${now} then 'expired'
        when u.is_banned then 'banned' else 'active' end as status,
      u.name as created_by_name, k.created_at, k.logged_requests as requests
    from inventory.api_keys k join inventory.users u on u.tenant_id = k.tenant_id and u.id = k.created_by
    where k.tenant_id = ${tenantId}) keys
  order by id`

type NewKey = {
  name: string
  hash: Buffer
  prefix: string
  canWrite: boolean
  expiresOn: string | null
}

export const insertKey = async (q: Sql, me: Principal, key: NewKey, now: Date) =>
  one(q<Pick<ApiKey, 'id' | 'name' | 'key_prefix' | 'permissions' | 'expires_at' | 'created_at'>[]>`
    insert into inventory.api_keys (tenant_id, name, hash, key_prefix, can_write, expires_on, created_by, created_at)
    values (${me.tenantId}, ${key.name}, ${key.hash}, ${key.prefix}, ${key.canWrite}, ${key.expiresOn}, ${me.userId},
      ${now})
    returning id, name, key_prefix, ${permissions(q)}, expires_on as expires_at, created_at`)

export const revokeKey = async (q: Sql, tenantId: number, id: number, now: Date) =>
  (
    await maybeOne(q<{ hash: Buffer }[]>`
      update inventory.api_keys set revoked_at = coalesce(revoked_at, ${now})
      where tenant_id = ${tenantId} and id = ${id} returning hash`)
  )?.hash

export const revokeKeysOf = (q: Sql, userId: number, now: Date) => q<{ hash: Buffer }[]>`
  update inventory.api_keys k set revoked_at = ${now} from inventory.users u
  where u.id = ${userId} and k.tenant_id = u.tenant_id and k.created_by = u.id and k.revoked_at is null
  returning k.hash`

export const hashesOf = (q: Sql, tenantId: number) => q<{ hash: Buffer }[]>`
  select hash from inventory.api_keys where tenant_id = ${tenantId}`

export type Use = Omit<UsageEntry, 'id' | 'key_name'> & { tenant_id: number }

/** One statement for a whole batch. Locks the keys concerned, ascending. */
export const insertUses = (q: Sql, uses: readonly Use[]) => q`
  with given as (
    select * from rows from (jsonb_to_recordset(${q.json(uses)}) as (tenant_id bigint, api_key_id bigint,
      method text, path text, status_code int, response_time_ms int, ip_address text, created_at timestamptz))
    with ordinality as u (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address, created_at, n)
  ), locked as (
    select tenant_id, id from inventory.api_keys
    where (tenant_id, id) in (select tenant_id, api_key_id from given)
    order by tenant_id, id for no key update
  ), counted as (
    update inventory.api_keys k set logged_requests = k.logged_requests + u.uses,
      last_used_at = greatest(k.last_used_at, u.last_used_at)
    from locked l join (select tenant_id, api_key_id as id, count(*) as uses,
        max(created_at) filter (where status_code <> 401) as last_used_at
      from given group by 1, 2) u using (tenant_id, id)
    where k.tenant_id = l.tenant_id and k.id = l.id
    returning k.tenant_id, k.id
  )
  insert into inventory.api_usage (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address,
    created_at)
  select g.tenant_id, g.api_key_id, g.method, g.path, g.status_code, g.response_time_ms, g.ip_address, g.created_at
  from given g join counted k on k.tenant_id = g.tenant_id and k.id = g.api_key_id
  order by g.n`

/** The condition with `failed` is that of an index. */
const asked = (q: Sql, tenantId: number, { api_key_id: key, failed }: UsageQuery) => q`
  tenant_id = ${tenantId} ${key === undefined ? q`` : q`and api_key_id = ${key}`}
  ${failed ? q`and status_code >= 400` : q``}`

/** Newest first. The entries of the page are found in an index before anything is joined to them. */
export const listUses = (q: Sql, tenantId: number, query: UsageQuery, page: Page) => q<UsageEntry[]>`
  select u.id, u.api_key_id, k.name as key_name, u.method, u.path, u.status_code, u.response_time_ms, u.ip_address,
    u.created_at
  from (select id from inventory.api_usage where ${asked(q, tenantId, query)}
    order by id desc limit ${page.limit} offset ${page.offset}) page
  join inventory.api_usage u on u.tenant_id = ${tenantId} and u.id = page.id
  join inventory.api_keys k on k.tenant_id = u.tenant_id and k.id = u.api_key_id
  order by u.id desc`

/** Only failures are few enough to be counted; of all entries each key has the number. */
export const countUses = async (q: Sql, tenantId: number, query: UsageQuery) => {
  const { api_key_id: key, failed } = query
  const counted = failed
    ? q<
        { total: number }[]
      >`select count(*) as total from inventory.api_usage where ${asked(q, tenantId, query)}`
    : q<{ total: number }[]>`
        select coalesce(sum(logged_requests), 0)::bigint as total from inventory.api_keys
        where tenant_id = ${tenantId} ${key === undefined ? q`` : q`and id = ${key}`}`
  return (await one(counted)).total
}

export const tenantsWithUses = (q: Sql) => q<{ tenant_id: number }[]>`
  select distinct tenant_id from inventory.api_keys where logged_requests > 0 order by tenant_id`

/**
 * Deletes entries of a tenant from before a moment, up to `limit`, and returns how many. Locks its keys, ascending. The oldest
 * are found again by their whole key: with the tenant as a constant, and where the planner believes that it has few entries,
 * all of them would be compared with the oldest.
 */
export const deleteUses = (q: Sql, tenantId: number, before: Date, limit: number) =>
  value<number>(q`
      with locked as (
        select id from inventory.api_keys where tenant_id = ${tenantId} order by id for no key update
      ), oldest as (
        select tenant_id, id, created_at from inventory.api_usage where tenant_id = ${tenantId}
        order by id limit ${limit}
      ), deleted as (
        delete from inventory.api_usage u using oldest o
        where u.tenant_id = o.tenant_id and u.id = o.id and o.created_at < ${before}
        returning u.api_key_id
      ), counted as (
        update inventory.api_keys k set logged_requests = k.logged_requests - d.uses
        from locked l join (select api_key_id as id, count(*) as uses from deleted group by 1) d using (id)
        where k.tenant_id = ${tenantId} and k.id = l.id
      )
      select count(*) as deleted from deleted`)
