import { stopWebhooksOf } from '#events/webhooks/switch-off.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { roleAllows } from '../access.ts'
import { addUser, userChanged } from '../accounts/users.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import type { MemberChange, NewMember } from './schema.ts'
import * as store from './store.ts'

export const listMembers = (ctx: Storage, me: Principal) => store.listMembers(ctx.db.sql, me.orgId)

export const addMember = async (ctx: Storage, me: Principal, input: NewMember) => {
  const { fullName, email, role } = input
  const passwordHash = await ctx.passwords.hash(input.password)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const user = { id: uuidv7(), orgId: me.orgId, fullName, email, role, passwordHash, now }
    const { totp_enabled: _, ...member } = await addUser(tx, user)
    await auditMember(tx, me, member, { action: 'member.added', now })
    return member
  })
}

/** The new role applies from the next request on, to the member's tokens and keys. */
export const changeMember = (ctx: Storage, me: Principal, id: string, { role }: MemberChange) =>
  ctx.db.transaction(async (tx) => {
    const before = (await store.lockMember(tx, me.orgId, id)) ?? notFound('No member with this id')
    if (before.role === 'owner') forbidden('The role of the owner cannot be changed')
    const member = await store.setRole(tx, me.orgId, id, role)
    await auditMember(tx, me, member, { action: 'member.updated', now: ctx.clock.now() })
    if (!roleAllows(role, 'webhook.manage')) await stopWebhooks(ctx, tx, me, member, 'is a member now')
    await userChanged(ctx, tx, member.id)
    return member
  })

/** The tokens and keys of a removed member stop working at once. */
export const removeMember = (ctx: Storage, me: Principal, id: string) =>
  ctx.db.transaction(async (tx) => {
    const member = (await store.lockMember(tx, me.orgId, id)) ?? notFound('No member with this id')
    if (member.role === 'owner') forbidden('The owner cannot be removed')
    await store.deleteMember(tx, me.orgId, id)
    await auditMember(tx, me, member, { action: 'member.removed', now: ctx.clock.now() })
    await stopWebhooks(ctx, tx, me, member, 'was removed')
    await userChanged(ctx, tx, member.id)
  })

/** What somebody directed to a place of their choice must not go on when they may no longer do that. */
const stopWebhooks = async (
  ctx: Storage,
  tx: Tx,
  me: Principal,
  { id: person, full_name }: store.MemberRow,
  what: string,
) => {
  const reason = `${full_name}, whose webhook it was, ${what}`
  const stopped = await stopWebhooksOf(ctx, tx, { service: 'storage', owner: me.orgId, person, reason })
  for (const { id, host } of stopped)
    await recordAudit(tx, me, {
      action: 'webhook.switched_off',
      resourceType: 'webhook',
      resourceId: id,
      payload: { host, reason },
      now: ctx.clock.now(),
    })
}

const auditMember = (
  tx: Tx,
  me: Principal,
  { id, email, role }: store.MemberRow,
  event: { action: string; now: Date },
) => recordAudit(tx, me, { ...event, resourceType: 'member', resourceId: id, payload: { email, role } })
