import { taken, unauthorized } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { recordAudit } from '../audit/audit.ts'
import { trial } from '../billing/tiers.ts'
import type { Principal, Storage } from '../context.ts'
import type { Registration } from './schema.ts'
import * as store from './store.ts'
import { tokens } from './tokens.ts'
import { addUser } from './users.ts'

export const currentAccount = (ctx: Storage, me: Pick<Principal, 'userId' | 'orgId'>) =>
  accountOf(ctx, me.userId, me.orgId)

const accountOf = async (ctx: Storage, userId: string, orgId: string) => {
  const [user, organization] = await Promise.all([
    store.findUser(ctx.db.sql, userId),
    store.findOrganization(ctx.db.sql, orgId, ctx.clock.now()),
  ])
  return {
    user: user ?? unauthorized('This account was removed'),
    organization: organization ?? unauthorized('This account was removed'),
  }
}

export const isRegistered = async (ctx: Storage, email: string) =>
  (await store.findCredentials(ctx.db.sql, email)) !== undefined

/** Creates an organization and its owner, or neither. */
export const register = async (ctx: Storage, input: Registration, ip: string) => {
  const now = ctx.clock.now()
  const passwordHash = await ctx.passwords.hash(input.password)
  const [orgId, userId] = [uuidv7(), uuidv7()]
  await ctx.db.transaction(async (tx) => {
    const organization = await store.insertOrganization(tx, {
      id: orgId,
      name: input.organizationName,
      slug: input.organizationSlug,
      trialEnds: new Date(now.getTime() + trial.days * 86_400_000),
      storageQuota: trial.storageQuotaBytes,
      bandwidthQuota: trial.bandwidthQuotaBytes,
      now,
    })
    if (organization.count === 0) taken('organizationSlug', 'is already in use')
    const { fullName, email } = input
    const owner = { id: userId, orgId, fullName, email, role: 'owner', passwordHash, now } as const
    await addUser(tx, owner)
    const actor = { orgId, userId, ip }
    const payload = { name: input.organizationName, slug: input.organizationSlug }
    await recordAudit(tx, actor, {
      action: 'auth.registered',
      resourceType: 'organization',
      resourceId: orgId,
      payload,
      now,
    })
  })
  return {
    token: await tokens(ctx).issue({ sub: userId, epoch: 1 }),
    ...(await accountOf(ctx, userId, orgId)),
  }
}
