import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Role } from '../context.ts'

export type MemberRow = { id: string; full_name: string; email: string; role: Role; created_at: string }

const columns = (q: Sql) => q`id, full_name, email, role, created_at`

export const listMembers = (q: Sql, orgId: string) => q<MemberRow[]>`
  select ${columns(q)} from storage.users where org_id = ${orgId} order by created_at, id`

export const lockMember = (q: Sql, orgId: string, id: string) =>
  maybeOne(q<MemberRow[]>`
    select ${columns(q)} from storage.users where org_id = ${orgId} and id = ${id} for update`)

export const setRole = (q: Sql, orgId: string, id: string, role: Role) =>
  one(q<MemberRow[]>`
    update storage.users set role = ${role} where org_id = ${orgId} and id = ${id} returning ${columns(q)}`)

export const deleteMember = (q: Sql, orgId: string, id: string) => q`
  delete from storage.users where org_id = ${orgId} and id = ${id}`
