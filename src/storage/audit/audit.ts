import type { Sql } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Principal, Storage } from '../context.ts'
import type { AuditQuery } from './schema.ts'
import { type AuditRow, commitWithoutWaiting, insertAudit, pageOfAudit } from './store.ts'

/** Who did it: a principal, or whoever is known when there is none yet (registration, failed logins). */
export type Actor = { orgId: string; userId: string | null; ip: string }

export type AuditEvent = {
  action: string
  resourceType: string
  resourceId: string
  /** Never secrets. */
  payload?: AuditRow['payload']
  now: Date
}

/** Records an action in the transaction that makes it true. */
export const recordAudit = async (q: Sql, actor: Actor, event: AuditEvent) => {
  const { action, resourceType, resourceId, payload = {}, now } = event
  const { orgId, userId, ip } = actor
  await insertAudit(q, {
    id: uuidv7(),
    orgId,
    action,
    resourceType,
    resourceId,
    actorUserId: userId,
    ip,
    payload,
    now,
  })
}

/**
 * Told to the organization whose account it was, if there is one. An unknown address must not be recognisable
 * by a quicker answer: it costs the same round trips, and what is written is not waited for.
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
