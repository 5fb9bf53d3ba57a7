import type { Sql } from '#platform/db/database.ts'
import type { KnownKey, Principal } from '../context.ts'
import type { ApiKey, UsageEntry, UsageQuery } from './schema.ts'

export const findKey = async (q: Sql, hash: Buffer): Promise<KnownKey | undefined> =>
  (
    await q<KnownKey[]>`
      select k.id, k.tenant_id as "tenantId", k.created_by as "createdBy", k.can_write as "canWrite",
        k.revoked_at is not null as "isRevoked", inventory.day_start(k.tenant_id, k.expires_on + 1) as "expiresAt",
        t.subscription_expires_at as "subscriptionExpiresAt"
      from inventory.api_keys k join inventory.tenants t on t.id = k.tenant_id where k.hash = ${hash}`
  )[0]

const permissions = (q: Sql) => q`
  case when can_write then '["read", "write"]'::json else '["read"]'::json end as permissions`

export const listKeys = (q: Sql, tenantId: number, now: Date) => q<ApiKey[]>`
  select k.id, k.name, k.key_prefix, ${permissions(q)}, k.expires_on as expires_at, k.last_used_at,
    k.revoked_at is null and not u.is_banned
      and coalesce(inventory.day_start(k.tenant_id, k.expires_on + 1) > ${now}, true) as is_active,
    u.name as created_by_name, k.created_at
  from inventory.api_keys k join inventory.users u on u.tenant_id = k.tenant_id and u.id = k.created_by
  where k.tenant_id = ${tenantId} order by k.id`

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

export const revokeKeysOf = (q: Sql, userId: number, now: Date) => q<{ hash: Buffer }[]>`
  update inventory.api_keys k set revoked_at = ${now} from inventory.users u
  where u.id = ${userId} and k.tenant_id = u.tenant_id and k.created_by = u.id and k.revoked_at is null
  returning k.hash`

export const hashesOf = (q: Sql, tenantId: number) => q<{ hash: Buffer }[]>`
  select hash from inventory.api_keys where tenant_id = ${tenantId}`

export type Use = Omit<UsageEntry, 'id' | 'key_name'> & { tenant_id: number }

/** One statement for a whole batch: what each key's row remembers of them, and the entries with their numbers. */
export const insertUses = (q: Sql, uses: readonly Use[]) => q`
  with given as (
    select * from rows from (jsonb_to_recordset(${q.json(uses)}) as (tenant_id bigint, api_key_id bigint,
      method text, path text, status_code int, response_time_ms int, ip_address text, created_at timestamptz))
    with ordinality as u (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address, created_at, n)
  ), numbered as (
    insert into inventory.numbers as t (tenant_id, kind, last)
    select tenant_id, 'api_use', count(*) from given group by 1 order by 1
    on conflict (tenant_id, kind) do update set last = t.last + excluded.last
    returning tenant_id, last
  ), counted as (
    update inventory.api_keys k set request_count = k.request_count + u.uses,
      last_used_at = greatest(k.last_used_at, u.last_used_at)
    from (select tenant_id, api_key_id, count(*) as uses,
        max(created_at) filter (where status_code <> 401) as last_used_at
      from given join numbered using (tenant_id) group by 1, 2 order by 1, 2) u
    where k.tenant_id = u.tenant_id and k.id = u.api_key_id
    returning k.tenant_id, k.id, k.request_count
  )
  insert into inventory.api_usage (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address,
    created_at, number, key_number)
  select g.tenant_id, g.api_key_id, g.method, g.path, g.status_code, g.response_time_ms, g.ip_address, g.created_at,
    t.last + 1 - row_number() over (partition by g.tenant_id order by g.n desc),
    k.request_count + 1 - row_number() over (partition by g.tenant_id, g.api_key_id order by g.n desc)
  from given g join numbered t using (tenant_id) join counted k on k.tenant_id = g.tenant_id and k.id = g.api_key_id
  order by g.n`

/** The first and the last number that is kept, of all entries or of one key's; what is kept has no gaps. */
export const findRun = async (q: Sql, tenantId: number, { api_key_id: key }: UsageQuery) =>
  (
    await q<{ first: number; last: number }[]>`
      select coalesce(first, last + 1) as first, last from (
        ${
          key === undefined
            ? q`
        select (select last from inventory.numbers where tenant_id = ${tenantId} and kind = 'api_use') as last,
          (select min(number) from inventory.api_usage where tenant_id = ${tenantId}) as first`
            : q`
        select (select request_count from inventory.api_keys where tenant_id = ${tenantId} and id = ${key}) as last,
          (select min(key_number) from inventory.api_usage
            where tenant_id = ${tenantId} and api_key_id = ${key}) as first`
        }) run
      where last is not null`
  )[0] ?? { first: 1, last: 0 }

/** The entries above `after` up to `upTo`, by their number among all or among the key's. */
export const listUses = (
  q: Sql,
  tenantId: number,
  { api_key_id: key }: UsageQuery,
  after: number,
  upTo: number,
) => q<UsageEntry[]>`
  select u.id, u.api_key_id, k.name as key_name, u.method, u.path, u.status_code, u.response_time_ms, u.ip_address,
    u.created_at
  from inventory.api_usage u join inventory.api_keys k on k.tenant_id = u.tenant_id and k.id = u.api_key_id
  where u.tenant_id = ${tenantId} ${
    key === undefined
      ? q`and u.number > ${after} and u.number <= ${upTo}`
      : q`and u.api_key_id = ${key} and u.key_number > ${after} and u.key_number <= ${upTo}`
  }
  order by u.number desc`

export const tenantsWithUses = (q: Sql) => q<{ tenant_id: number }[]>`
  select tenant_id from inventory.numbers where kind = 'api_use' order by tenant_id`

/** Forgets the oldest entries from before a moment, as far as `limit` reaches; answers how many it was. */
export const forgetUses = async (q: Sql, tenantId: number, before: Date, limit: number) =>
  (
    await q`
      with oldest as (
        select number, created_at from inventory.api_usage where tenant_id = ${tenantId} order by number limit ${limit}
      ), kept as (select min(number) as first from oldest where created_at >= ${before})
      delete from inventory.api_usage u using oldest o, kept
      where u.tenant_id = ${tenantId} and u.number = o.number and (kept.first is null or o.number < kept.first)`
  ).count
