import type { Sql } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Principal, Storage } from '../context.ts'
import type { AuditQuery } from './schema.ts'
import {
  type AuditPayload,
  commitWithoutWaiting,
  countByAction,
  insertAudit,
  listActors,
  pageOfAudit,
} from './store.ts'

export type { AuditPayload } from './store.ts'

/** Who did it: a principal, or what is known of the caller where there is none (registration, background jobs). */
export type Actor = { orgId: string; userId: string | null; ip: string }

export type AuditEvent = {
  action: string
  resourceType: string
  resourceId: string
  /** Never secrets. */
  payload?: AuditPayload
  now: Date
}

/** The statement that records an action, to be awaited in the transaction of that action. */
export const recordAudit = (q: Sql, { orgId, userId, ip }: Actor, { payload = {}, ...event }: AuditEvent) =>
  insertAudit(q, { id: uuidv7(), orgId, actorUserId: userId, ip, payload, ...event })

/**
 * Recorded in the log of the account's organization, if there is such an account. Response times must not reveal
 * whether there is: both cases take the same round trips, and neither waits for the disk.
 */
export const recordFailedLogin = (
  ctx: Storage,
  user: { id: string; org_id: string } | undefined,
  ip: string,
  reason: string,
) =>
  ctx.db.transaction(async (tx) => {
    await commitWithoutWaiting(tx)
    if (!user) return commitWithoutWaiting(tx)
    await recordAudit(
      tx,
      { orgId: user.org_id, userId: null, ip },
      {
        action: 'auth.login_failed',
        resourceType: 'user',
        resourceId: user.id,
        payload: { reason },
        now: ctx.clock.now(),
      },
    )
  })

export const listAudit = (ctx: Storage, me: Principal, query: AuditQuery) =>
  pageOfAudit(ctx.db.sql, me.orgId, query)

/** What the log can be filtered by: the actions that it has, and the people of the organization. */
export const auditChoices = async (ctx: Storage, me: Principal) => {
  const [actions, actors] = await Promise.all([
    countByAction(ctx.db.long, me.orgId),
    listActors(ctx.db.sql, me.orgId),
  ])
  return { actions, actors }
}
