import { checkTotp, newTotp } from '#platform/auth/totp.ts'
import type { Tx } from '#platform/db/database.ts'
import { conflict, invalid, unauthorized } from '#platform/errors.ts'
import { attempt, WrongProof } from '../accounts/attempts.ts'
import { totpPurpose } from '../accounts/login.ts'
import { personChanged } from '../accounts/people.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import type { PasswordChange } from './schema.ts'
import * as store from './store.ts'

const mine = async (ctx: Storage, me: Principal) =>
  (await store.findSettings(ctx.db.sql, me.orgId, me.userId)) ?? unauthorized()

const record = (ctx: Storage, tx: Tx, me: Principal, action: string) =>
  recordAudit(tx, me, { action, resourceType: 'user', resourceId: me.userId, now: ctx.clock.now() })

/** Ends every session, this one included. */
export const changePassword = async (ctx: Storage, me: Principal, input: PasswordChange) => {
  const { email, password_hash } = await mine(ctx, me)
  const refused = new WrongProof(401, 'currentPassword is wrong')
  await attempt(
    ctx,
    email,
    async () => {
      if (!(await ctx.passwords.verify(password_hash, input.currentPassword))) throw refused
      return ctx.passwords.hash(input.newPassword)
    },
    (newHash) =>
      ctx.db.transaction(async (tx) => {
        if (!(await store.changePassword(tx, me.userId, password_hash, newHash))) throw refused
        await record(ctx, tx, me, 'auth.password_changed')
        await personChanged(ctx, tx, me.userId)
      }),
  )
}

export const totpStatus = async (ctx: Storage, me: Principal) => ({
  enabled: (await mine(ctx, me)).totp_enabled,
})

const alreadyOn = () => conflict('Two-factor login is already on')
const wrongCode = () =>
  new WrongProof(400, 'token is wrong', { details: [{ field: 'token', reason: 'is wrong' }] })

/** Proposes a secret; nothing changes until a code made with it comes back. */
export const setUpTotp = async (ctx: Storage, me: Principal) => {
  const { email } = await mine(ctx, me)
  const { secret, url } = newTotp({ issuer: 'Trivet storage', account: email })
  const sealed = ctx.secrets.seal(totpPurpose, secret)
  if (!(await ctx.db.write((q) => store.proposeTotp(q, me.userId, sealed)))) alreadyOn()
  return { secret, otpauth_url: url }
}

/** Whoever is signed in may use a code again that has just signed them in: only a login uses it up. */
const checkCode = (ctx: Storage, { totp_secret }: store.SettingsRow, code: string) => {
  const secret = ctx.secrets.unseal(totpPurpose, totp_secret ?? '')
  if (checkTotp(secret, code, ctx.clock.now(), null) === null) throw wrongCode()
}

export const verifyTotp = async (ctx: Storage, me: Principal, code: string) => {
  const settings = await mine(ctx, me)
  if (settings.totp_enabled) alreadyOn()
  const secret = settings.totp_secret ?? invalid('token', 'cannot be checked: set two-factor login up first')
  checkCode(ctx, settings, code)
  await ctx.db.transaction(async (tx) => {
    if (!(await store.enableTotp(tx, me.userId, secret))) throw wrongCode()
    await record(ctx, tx, me, 'auth.totp_enabled')
  })
}

export const switchTotpOff = async (ctx: Storage, me: Principal, code: string) => {
  const settings = await mine(ctx, me)
  if (!settings.totp_enabled || !settings.totp_secret)
    invalid('token', 'cannot be checked: two-factor login is not on')
  await attempt(
    ctx,
    settings.email,
    async () => checkCode(ctx, settings, code),
    () =>
      ctx.db.transaction(async (tx) => {
        if (!(await store.disableTotp(tx, me.userId, settings.totp_secret ?? ''))) throw wrongCode()
        await record(ctx, tx, me, 'auth.totp_disabled')
      }),
  )
}
