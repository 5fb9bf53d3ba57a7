import { checkTotp } from '#platform/auth/totp.ts'
import { unauthorized } from '#platform/errors.ts'
import { recordAudit, recordFailedLogin } from '../audit/audit.ts'
import type { Storage } from '../context.ts'
import { currentAccount } from './accounts.ts'
import { attempt, WrongProof } from './attempts.ts'
import type { Login } from './schema.ts'
import * as store from './store.ts'

export const logIn = (ctx: Storage, input: Login, ip: string) =>
  attempt(ctx, input.email, async () => {
    const user = await store.findCredentials(ctx.db.sql, input.email)
    const known = await ctx.passwords.verify(user?.password_hash ?? null, input.password)
    if (user && known) return enter(ctx, user, input.totpToken, ip)
    await recordFailedLogin(ctx, user, ip, 'wrong password')
    throw new WrongProof(401, 'Invalid email or password')
  })

/** The password was right; the second factor, where there is one, must be too. */
const enter = async (ctx: Storage, user: store.Credentials, code: string | undefined, ip: string) => {
  if (user.totp_enabled && code === undefined) {
    await recordFailedLogin(ctx, user, ip, 'totpToken is missing')
    return unauthorized('totpToken is required: two-factor login is on')
  }
  if (!(await open(ctx, user, code, ip))) {
    await recordFailedLogin(ctx, user, ip, 'wrong totpToken')
    throw new WrongProof(401, 'totpToken is wrong')
  }
  const token = await ctx.tokens.issue({ sub: user.id, epoch: user.token_epoch })
  return { token, ...(await currentAccount(ctx, { userId: user.id, orgId: user.org_id })) }
}

/** Records the login and uses up the code: of two logins with the same one, the second finds it used. */
const open = async (ctx: Storage, user: store.Credentials, code: string | undefined, ip: string) => {
  const now = ctx.clock.now()
  const step = user.totp_enabled ? stepOf(ctx, user, code ?? '', now) : undefined
  if (step === null) return false
  return ctx.db.transaction(async (tx) => {
    if (step !== undefined && (await store.useTotpStep(tx, user.id, step)).count === 0) return false
    await recordAudit(
      tx,
      { orgId: user.org_id, userId: user.id, ip },
      { action: 'auth.logged_in', resourceType: 'user', resourceId: user.id, now },
    )
    return true
  })
}

const stepOf = (ctx: Storage, user: store.Credentials, code: string, now: Date) =>
  checkTotp(ctx.secrets.unseal(totpPurpose, user.totp_secret ?? ''), code, now, user.totp_last_step)

/** What the secret of an authenticator is sealed for. */
export const totpPurpose = 'storage.totp'
