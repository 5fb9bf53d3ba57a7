import type { Sql } from '#platform/db/database.ts'
import { invalid } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import type { AuditQuery } from './schema.ts'
import * as store from './store.ts'

/** Who did it: a person or a key, or neither, which is the operator. */
export type Actor = Pick<Principal, 'tenantId' | 'userId' | 'keyId' | 'ip'>

export const operatorOf = (tenantId: number): Actor => ({ tenantId, userId: null, ip: '' })

export type Deed = {
  /** What it was done to, and what was done, such as `product.updated`. */
  action: string
  id: string | number | null
  /** Never secrets. */
  details?: store.Details
  now: Date
}

/** The statement that records what somebody did, to be awaited in the transaction of that. */
export const recordAudit = (q: Sql, { tenantId, userId, keyId, ip }: Actor, deed: Deed) => {
  const { action, id, details = {}, now } = deed
  const [type = ''] = action.split('.')
  const resource = { action, type, id: id === null ? null : String(id) }
  return store.insertEntry(q, { ...resource, tenantId, userId, keyId: keyId ?? null, ip, details, now })
}

const idOf = (cursor: string) => {
  const id = /^[1-9]\d{0,15}$/.test(cursor) ? Number(cursor) : Number.NaN
  return Number.isSafeInteger(id) ? id : invalid('cursor', 'must be the next_cursor of a page')
}

export const listAudit = async (ctx: Inventory, me: Principal, { limit, cursor, ...filter }: AuditQuery) => {
  const below = cursor === undefined ? null : idOf(cursor)
  const [entries, total] = await Promise.all([
    store.listEntries(ctx.db.sql, me.tenantId, filter, { below, limit: limit + 1 }),
    store.countEntries(ctx.db.sql, me.tenantId, filter),
  ])
  const audit_logs = entries.slice(0, limit)
  const next_cursor = entries.length > limit ? String(audit_logs.at(-1)?.id) : null
  return { audit_logs, total, next_cursor }
}
