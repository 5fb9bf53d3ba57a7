import { stopWebhooksOf } from '#events/webhooks/switch-off.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { badRequest, notFound, taken } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { type Actor, operatorOf, recordAudit } from '../audit/audit.ts'
import type { Inventory, Principal } from '../context.ts'
import { forgetKeysOf } from '../keys/keys.ts'
import { lockTenant } from '../tenants/tenants.ts'
import type { Member, MemberChange, NewMember } from './schema.ts'
import * as store from './store.ts'

const userTopic = 'inventory.user'

/** What the guard must know of a person on every request. */
export const people = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: userTopic,
    max: 50_000,
    load: (id) => store.findPerson(db.sql, Number(id)),
  }),
)

/** After a ban, a new role or a new password: every node knows it as soon as it is committed. */
export const personChanged = (ctx: Inventory, tx: Tx, userId: number) =>
  ctx.signals.publish(tx, userTopic, String(userId))

export const listMembers = async (ctx: Inventory, me: Principal) => {
  const users = await store.listMembers(ctx.db.sql, me.tenantId)
  return { users, total: users.length }
}

export const addUser = async (tx: Tx, user: store.NewUser) =>
  (await store.insertUser(tx, user)) ?? taken('email', 'is already in use', 'Email is already in use')

export const createMember = async (ctx: Inventory, me: Principal, { password, ...member }: NewMember) => {
  const passwordHash = await ctx.passwords.hash(password)
  const user = { ...member, tenantId: me.tenantId, passwordHash, now: ctx.clock.now() }
  return ctx.db.transaction((tx) => addUser(tx, user))
}

export const changeMember = (ctx: Inventory, me: Principal, id: number, change: MemberChange) =>
  ctx.db.transaction(async (tx) => {
    await lockTenant(tx, me)
    const member = (await store.updateMember(tx, me.tenantId, id, change)) ?? notFound('User not found')
    if (!(await store.hasAdmin(tx, me.tenantId))) badRequest('The last Admin must stay')
    await stopWebhooksUnlessAdmin(ctx, tx, me, member)
    await personChanged(ctx, tx, id)
    return member
  })

/** What somebody directed to a place of their choice must not go on when they may no longer do that. */
const stopWebhooksUnlessAdmin = async (
  ctx: Inventory,
  tx: Tx,
  by: Actor,
  { id, name, role, is_banned }: Pick<Member, 'id' | 'name' | 'role' | 'is_banned'>,
) => {
  if (role === 'Admin' && !is_banned) return
  const reason = `${name}, whose webhook it was, ${is_banned ? 'was banned' : `is ${role} now`}`
  const place = {
    service: 'inventory',
    owner: String(by.tenantId),
    person: String(id),
    reason,
    silently: by.ip === '',
  }
  for (const { id, host } of await stopWebhooksOf(ctx, tx, place))
    await recordAudit(tx, by, {
      action: 'webhook.switched_off',
      id,
      details: { host, reason },
      now: ctx.clock.now(),
    })
}

/** For the operator, who may ban even the last Admin. */
export const setBan = (ctx: Inventory, email: string, isBanned: boolean) =>
  ctx.db.transaction(async (tx) => {
    const [user] = await store.setBan(tx, email, isBanned)
    if (!user) return notFound('No user has this email')
    await recordAudit(tx, operatorOf(user.tenant_id), {
      action: isBanned ? 'user.banned' : 'user.unbanned',
      id: user.id,
      details: { email: user.email },
      now: ctx.clock.now(),
    })
    await stopWebhooksUnlessAdmin(ctx, tx, operatorOf(user.tenant_id), user)
    await personChanged(ctx, tx, user.id)
  })

export const setSubscription = (ctx: Inventory, tenantId: number, expires: Date) =>
  ctx.db.transaction(async (tx) => {
    const users = await store.setSubscription(tx, tenantId, expires)
    if (users.length === 0) return notFound('There is no such tenant')
    await recordAudit(tx, operatorOf(tenantId), {
      action: 'subscription.updated',
      id: tenantId,
      details: { expires: expires.toISOString() },
      now: ctx.clock.now(),
    })
    for (const { id } of users) await personChanged(ctx, tx, id)
    await forgetKeysOf(ctx, tx, tenantId)
  })
