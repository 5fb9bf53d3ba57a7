import type { Sql } from '#platform/db/database.ts'
import type { KnownKey, Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type { ApiKey, UsageEntry, UsageQuery } from './schema.ts'

export const findKey = async (q: Sql, hash: Buffer): Promise<KnownKey | undefined> =>
  (
    await q<KnownKey[]>`
      select k.id, k.tenant_id as "tenantId", k.can_write as "canWrite", k.revoked_at is not null as "isRevoked",
        inventory.day_start(k.tenant_id, k.expires_on + 1) as "expiresAt",
        t.subscription_expires_at as "subscriptionExpiresAt"
      from inventory.api_keys k join inventory.tenants t on t.id = k.tenant_id where k.hash = ${hash}`
  )[0]

const permissions = (q: Sql) => q`
  case when can_write then '["read", "write"]'::json else '["read"]'::json end as permissions`

export const listKeys = (q: Sql, tenantId: number, now: Date) => q<ApiKey[]>`
  select id, name, key_prefix, ${permissions(q)}, expires_on as expires_at, last_used_at,
    revoked_at is null and coalesce(inventory.day_start(tenant_id, expires_on + 1) > ${now}, true) as is_active,
    created_at
  from inventory.api_keys where tenant_id = ${tenantId} order by id`

export type NewKey = {
  name: string
  hash: Buffer
  prefix: string
  canWrite: boolean
  expiresOn: string | null
}

export const insertKey = async (q: Sql, me: Principal, key: NewKey, now: Date) =>
  (
    await q<Pick<ApiKey, 'id' | 'name' | 'key_prefix' | 'permissions' | 'expires_at' | 'created_at'>[]>`
      insert into inventory.api_keys (tenant_id, name, hash, key_prefix, can_write, expires_on, created_by, created_at)
      values (${me.tenantId}, ${key.name}, ${key.hash}, ${key.prefix}, ${key.canWrite}, ${key.expiresOn}, ${me.userId},
        ${now})
      returning id, name, key_prefix, ${permissions(q)}, expires_on as expires_at, created_at`
  )[0]!

export const revokeKey = async (q: Sql, tenantId: number, id: number, now: Date) =>
  (
    await q<{ hash: Buffer }[]>`
      update inventory.api_keys set revoked_at = coalesce(revoked_at, ${now})
      where tenant_id = ${tenantId} and id = ${id} returning hash`
  )[0]?.hash

export const hashesOf = (q: Sql, tenantId: number) => q<{ hash: Buffer }[]>`
  select hash from inventory.api_keys where tenant_id = ${tenantId}`

export type Use = Omit<UsageEntry, 'id' | 'key_name'> & { tenant_id: number }

/** One statement for a whole batch: the entries, and what each key's row remembers of them. */
export const insertUses = (q: Sql, uses: readonly Use[]) => q`
  with given as (
    select * from rows from (jsonb_to_recordset(${q.json(uses as never)}) as (tenant_id bigint, api_key_id bigint,
      method text, path text, status_code int, response_time_ms int, ip_address text, created_at timestamptz))
    with ordinality as u (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address, created_at, n)
  ), logged as (
    insert into inventory.api_usage (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address,
      created_at)
    select tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address, created_at
    from given order by n
  )
  update inventory.api_keys k set request_count = k.request_count + u.uses,
    last_used_at = greatest(k.last_used_at, u.last_used_at)
  from (select tenant_id, api_key_id, count(*) as uses, max(created_at) filter (where status_code <> 401) as last_used_at
    from given group by 1, 2 order by 1, 2) u
  where k.tenant_id = u.tenant_id and k.id = u.api_key_id`

const ofKey = (q: Sql, id: number | undefined, column: string) =>
  id === undefined ? q`` : q`and ${q.unsafe(column)} = ${id}`

export const listUses = (q: Sql, tenantId: number, { api_key_id }: UsageQuery, page: Page) => q<UsageEntry[]>`
  select u.id, u.api_key_id, k.name as key_name, u.method, u.path, u.status_code, u.response_time_ms, u.ip_address,
    u.created_at
  from (select * from inventory.api_usage where tenant_id = ${tenantId} ${ofKey(q, api_key_id, 'api_key_id')}
    order by id desc limit ${page.limit} offset ${page.offset}) u
  join inventory.api_keys k on k.tenant_id = u.tenant_id and k.id = u.api_key_id order by u.id desc`

export const countUses = async (q: Sql, tenantId: number, { api_key_id }: UsageQuery) =>
  (
    await q<{ total: number }[]>`
      select coalesce(sum(request_count), 0)::bigint as total from inventory.api_keys
      where tenant_id = ${tenantId} ${ofKey(q, api_key_id, 'id')}`
  )[0]!.total
