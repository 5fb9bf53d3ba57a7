import type { Sql } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import { type AuditRow, insertAudit } from './store.ts'

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
