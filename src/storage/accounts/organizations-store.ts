import type { Sql } from '#platform/db/database.ts'
import { escapeLike, maybeOne, value } from '#platform/db/rows.ts'
import type { ListPage } from '#platform/list-page.ts'

export type OrganizationRow = {
  slug: string
  name: string
  owner: string
  members: number
  plan_status: 'trial' | 'active' | 'expired'
  plan_expires_at: string
  storage_tier: string
  bandwidth_tier: string
  storage_used_bytes: number
  retained_objects: number
  created_at: string
}

const matching = (q: Sql, search: string | null) => {
  const pattern = search === null ? null : `%${escapeLike(search)}%`
  return q`
    from storage.organizations o join storage.users owner on owner.org_id = o.id and owner.role = 'owner'
    where ${pattern}::text is null or o.name ilike ${pattern} or o.slug ilike ${pattern} or owner.email ilike ${pattern}`
}

export const countOrganizations = (q: Sql, search: string | null) =>
  value<number>(q`select count(*) as total ${matching(q, search)}`)

export const listOrganizations = (q: Sql, { search, limit, offset }: ListPage, now: Date) => q<
  OrganizationRow[]
>`
  select o.slug, o.name, owner.email as owner,
    (select count(*) from storage.users u where u.org_id = o.id) as members,
    case when o.plan_expires_at <= ${now} then 'expired' else o.plan_status end as plan_status, o.plan_expires_at,
    o.storage_tier, o.bandwidth_tier, o.storage_used_bytes, o.retained_objects,
    o.created_at
  ${matching(q, search)} order by o.created_at, o.id limit ${limit} offset ${offset}`

export const findIdBySlug = async (q: Sql, slug: string) => {
  const row = await maybeOne(q<{ id: string }[]>`select id from storage.organizations where slug = ${slug}`)
  return row?.id
}

export type AccountRow = {
  email: string
  full_name: string
  role: 'owner' | 'admin' | 'member'
  slug: string
  totp_enabled: boolean
  created_at: string
}

const accountsMatching = (q: Sql, search: string | null) => {
  const pattern = search === null ? null : `%${escapeLike(search)}%`
  return q`
    from storage.users u join storage.organizations o on o.id = u.org_id
    where ${pattern}::text is null or u.full_name ilike ${pattern} or u.email ilike ${pattern} or o.slug ilike ${pattern}`
}

export const countAccounts = (q: Sql, search: string | null) =>
  value<number>(q`select count(*) as total ${accountsMatching(q, search)}`)

export const listAccounts = (q: Sql, { search, limit, offset }: ListPage) => q<AccountRow[]>`
  select u.email, u.full_name, u.role, o.slug, u.totp_enabled, u.created_at
  ${accountsMatching(q, search)} order by u.created_at, u.id limit ${limit} offset ${offset}`

export const findOwner = (q: Sql, orgId: string) =>
  value<string>(q`select id from storage.users where org_id = ${orgId} and role = 'owner'`)
