import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { keepSession } from '#platform/auth/console-sessions.ts'
import type { Tx } from '#platform/db/database.ts'
import { conflict, invalid, unauthorized } from '#platform/errors.ts'
import { currentAccount } from '../accounts/accounts.ts'
import { totpPurpose } from '../accounts/login.ts'
import { recovery } from '../accounts/recovery.ts'
import { checkTotp, newTotp } from '../accounts/totp.ts'
import { userChanged } from '../accounts/users.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import { revokeAllKeys } from '../keys/keys.ts'
import type { OrganizationChange, PasswordChange, ProfileChange } from './schema.ts'
import * as store from './store.ts'

const mine = async (ctx: Storage, me: Principal) =>
  (await store.findSettings(ctx.db.sql, me.orgId, me.userId)) ?? unauthorized('This account was removed')

const record = (ctx: Storage, tx: Tx, me: Principal, action: string) =>
  recordAudit(tx, me, { action, resourceType: 'user', resourceId: me.userId, now: ctx.clock.now() })

export const changeProfile = async (ctx: Storage, me: Principal, { fullName }: ProfileChange) => {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.setFullName(tx, me, fullName))) unauthorized('This account was removed')
    await record(ctx, tx, me, 'user.updated')
  })
  return currentAccount(ctx, me)
}

/** Renames the organization. Its slug stays, because addresses contain it. */
export const changeOrganization = async (ctx: Storage, me: Principal, { name }: OrganizationChange) => {
  await ctx.db.transaction(async (tx) => {
    await store.setOrganizationName(tx, me.orgId, name)
    await recordAudit(tx, me, {
      action: 'organization.updated',
      resourceType: 'organization',
      resourceId: me.orgId,
      payload: { name },
      now: ctx.clock.now(),
    })
  })
  return currentAccount(ctx, me)
}

/** Ends every token, including this one, and every other session of a console. */
export const changePassword = async (ctx: Storage, me: Principal, input: PasswordChange) => {
  const { email, password_hash } = await mine(ctx, me)
  const refused = new WrongProof(401, 'currentPassword is wrong', {
    details: [{ field: 'currentPassword', reason: 'is wrong' }],
  })
  await attempt(
    ctx,
    { service: 'storage', email },
    async () => {
      if (!(await ctx.passwords.verify(password_hash, input.currentPassword))) throw refused
      return ctx.passwords.hash(input.newPassword)
    },
    async (tx, newHash) => {
      const epoch = await store.changePassword(tx, me.userId, password_hash, newHash)
      if (epoch === undefined) throw refused
      if (me.session) await keepSession(ctx, tx, me.session, epoch)
      await record(ctx, tx, me, 'auth.password_changed')
      if (input.revokeKeys) await revokeAllKeys(ctx, tx, me)
      await recovery(ctx).forget(tx, me.userId)
      await userChanged(ctx, tx, me.userId)
    },
  )
}

export const totpStatus = async (ctx: Storage, me: Principal) => ({
  enabled: (await mine(ctx, me)).totp_enabled,
})

const alreadyOn = () => conflict('Two-factor login is already on')
const wrongCode = () =>
  new WrongProof(400, 'token is wrong', { details: [{ field: 'token', reason: 'is wrong' }] })

/** Proposes a secret; two-factor login is enabled when a code made with it is verified. */
export const setUpTotp = async (ctx: Storage, me: Principal) => {
  const { email } = await mine(ctx, me)
  const { secret, url } = newTotp({ issuer: 'Trivet storage', account: email })
  const sealed = ctx.secrets.seal(totpPurpose, secret)
  if (!(await ctx.db.write((q) => store.proposeTotp(q, me.userId, sealed)))) alreadyOn()
  return { secret, otpauth_url: url }
}

/** The time step of a code that is right and was not used to sign in. */
const stepOf = (ctx: Storage, { totp_secret, totp_last_step }: store.SettingsRow, code: string) => {
  const secret = ctx.secrets.unseal(totpPurpose, totp_secret ?? '')
  const step = checkTotp(secret, code, ctx.clock.now(), totp_last_step)
  if (step === null) throw wrongCode()
  return step
}

/** Does not mark the code as used, so that the user can sign in with what the authenticator shows. */
export const verifyTotp = async (ctx: Storage, me: Principal, code: string) => {
  const settings = await mine(ctx, me)
  if (settings.totp_enabled) alreadyOn()
  const secret = settings.totp_secret ?? invalid('token', 'cannot be checked: set two-factor login up first')
  stepOf(ctx, settings, code)
  await ctx.db.transaction(async (tx) => {
    if (!(await store.enableTotp(tx, me.userId, secret))) throw wrongCode()
    await record(ctx, tx, me, 'auth.totp_enabled')
  })
}

export const switchTotpOff = async (ctx: Storage, me: Principal, code: string) => {
  const settings = await mine(ctx, me)
  const { email, totp_enabled, totp_secret } = settings
  if (!totp_enabled || !totp_secret) return invalid('token', 'cannot be checked: two-factor login is not on')
  await attempt(
    ctx,
    { service: 'storage', email },
    async () => stepOf(ctx, settings, code),
    async (tx, step) => {
      if (!(await store.disableTotp(tx, me.userId, totp_secret, step))) throw wrongCode()
      await record(ctx, tx, me, 'auth.totp_disabled')
    },
  )
}
