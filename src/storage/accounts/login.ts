import { checkTotp } from '#platform/auth/totp.ts'
import { unauthorized } from '#platform/errors.ts'
import { recordAudit, recordFailedLogin } from '../audit/audit.ts'
import type { Storage } from '../context.ts'
import { currentAccount } from './accounts.ts'
import { attempt, WrongProof } from './attempts.ts'
import type { Login } from './schema.ts'
import * as store from './store.ts'

type Entrant = { user: store.Credentials; step: number | null }

export const logIn = (ctx: Storage, input: Login, ip: string) =>
  attempt(
    ctx,
    input.email,
    () => recognise(ctx, input, ip),
    (entrant) => enter(ctx, entrant, ip),
  )

/** Whose password this is; the second factor, where there is one, must be right too. */
const recognise = async (
  ctx: Storage,
  { email, password, totpToken }: Login,
  ip: string,
): Promise<Entrant> => {
  const user = await store.findCredentials(ctx.db.sql, email)
  const known = await ctx.passwords.verify(user?.password_hash ?? null, password)
  if (!user || !known) {
    await recordFailedLogin(ctx, user, ip, 'wrong password')
    throw new WrongProof(401, 'Invalid email or password')
  }
  if (!user.totp_enabled) return { user, step: null }
  if (totpToken === undefined) {
    await recordFailedLogin(ctx, user, ip, 'totpToken is missing')
    return unauthorized('totpToken is required: two-factor login is on')
  }
  const secret = ctx.secrets.unseal(totpPurpose, user.totp_secret ?? '')
  const step = checkTotp(secret, totpToken, ctx.clock.now(), user.totp_last_step)
  return step === null ? refuseCode(ctx, user, ip) : { user, step }
}

/** Uses up the code with the login: of two with the same one, the second finds it used. */
const enter = async (ctx: Storage, { user, step }: Entrant, ip: string) => {
  const { id, org_id } = user
  const entered = await ctx.db.transaction(async (tx) => {
    if (step !== null && (await store.useTotpStep(tx, id, step)).count === 0) return false
    const event = { action: 'auth.logged_in', resourceType: 'user', resourceId: id, now: ctx.clock.now() }
    await recordAudit(tx, { orgId: org_id, userId: id, ip }, event)
    return true
  })
  if (!entered) return refuseCode(ctx, user, ip)
  const token = await ctx.tokens.issue({ sub: id, epoch: user.token_epoch })
  return { token, ...(await currentAccount(ctx, { userId: id, orgId: org_id })) }
}

const refuseCode = async (ctx: Storage, user: store.Credentials, ip: string): Promise<never> => {
  await recordFailedLogin(ctx, user, ip, 'wrong totpToken')
  throw new WrongProof(401, 'totpToken is wrong')
}

/** What the secret of an authenticator is sealed for. */
export const totpPurpose = 'storage.totp'
