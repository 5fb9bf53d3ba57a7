import { checkTotp } from '#platform/auth/totp.ts'
import { conflict, notFound, unauthorized } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Principal, Storage } from '../context.ts'
import type { Login, Registration } from './schema.ts'
import * as store from './store.ts'

const gibibyte = 1024 ** 3
const trial = { days: 14, storageQuota: 5 * gibibyte, bandwidthQuota: 10 * gibibyte }

const account = async (ctx: Storage, userId: string, orgId: string) => {
  const [user, organization] = await Promise.all([
    store.findUser(ctx.db.sql, userId),
    store.findOrganization(ctx.db.sql, orgId, ctx.clock.now()),
  ])
  return { user: user ?? notFound(), organization: organization ?? notFound() }
}

export const currentAccount = (ctx: Storage, me: Principal) => account(ctx, me.userId, me.orgId)

/** A new organization and its owner, or neither. */
export const register = async (ctx: Storage, input: Registration) => {
  const now = ctx.clock.now()
  const passwordHash = await ctx.passwords.hash(input.password)
  const [orgId, userId] = [uuidv7(), uuidv7()]
  await ctx.db.transaction(async (tx) => {
    const organization = await store.insertOrganization(tx, {
      id: orgId,
      name: input.organizationName,
      slug: input.organizationSlug,
      trialEnds: new Date(now.getTime() + trial.days * 86_400_000),
      storageQuota: trial.storageQuota,
      bandwidthQuota: trial.bandwidthQuota,
      now,
    })
    if (organization.count === 0) conflict('organizationSlug is already in use')
    const { fullName, email } = input
    const user = await store.insertUser(tx, {
      id: userId,
      orgId,
      fullName,
      email,
      role: 'owner',
      passwordHash,
      now,
    })
    if (user.count === 0) conflict('email is already in use')
  })
  return { token: await ctx.tokens.issue({ sub: userId, epoch: 1 }), ...(await account(ctx, userId, orgId)) }
}

export const logIn = async (ctx: Storage, { email, password, totpToken }: Login) => {
  const user = await store.findCredentials(ctx.db.sql, email)
  const known = await ctx.passwords.verify(user?.password_hash ?? null, password)
  if (!user || !known) return unauthorized('Invalid email or password')
  if (user.totp_enabled) await checkSecondFactor(ctx, user, totpToken)
  const token = await ctx.tokens.issue({ sub: user.id, epoch: user.token_epoch })
  return { token, ...(await account(ctx, user.id, user.org_id)) }
}

/** A code works once: of two logins with the same one, the second finds its step used. */
const checkSecondFactor = async (ctx: Storage, user: store.Credentials, code: string | undefined) => {
  if (code === undefined) return unauthorized('totpToken is required: two-factor login is on')
  const secret = ctx.secrets.unseal('storage.totp', user.totp_secret ?? '')
  const step = checkTotp(secret, code, ctx.clock.now(), user.totp_last_step)
  const used = step !== null && (await ctx.db.write((q) => store.useTotpStep(q, user.id, step))).count === 1
  if (!used) unauthorized('totpToken is wrong')
}
