import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { checkTotp } from '#platform/auth/totp.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError, unauthorized } from '#platform/errors.ts'
import { recordAudit, recordFailedLogin } from '../audit/audit.ts'
import type { Storage } from '../context.ts'
import { currentAccount } from './accounts.ts'
import type { Login } from './schema.ts'
import * as store from './store.ts'
import { tokens } from './tokens.ts'

type Entrant = { user: store.Credentials; step: number | null }

export const logIn = async (ctx: Storage, input: Login, ip: string) => {
  const found = await store.findCredentials(ctx.db.sql, input.email)
  const { user } = await attempt(
    ctx,
    { service: 'storage', email: input.email },
    () => recognise(ctx, found, input),
    (tx, entrant) => enter(ctx, tx, entrant, ip),
  ).catch(async (error) => {
    if (error instanceof AppError && error.status === 401)
      await recordFailedLogin(ctx, found, ip, error.message)
    throw error
  })
  const token = await tokens(ctx).issue({ sub: user.id, epoch: user.token_epoch })
  return { token, ...(await currentAccount(ctx, { userId: user.id, orgId: user.org_id })) }
}

/** The user whose password this is. The second factor, if enabled, must be right too. */
const recognise = async (
  ctx: Storage,
  user: store.Credentials | undefined,
  { password, totpToken }: Login,
): Promise<Entrant> => {
  const known = await ctx.passwords.verify(user?.password_hash ?? null, password)
  if (!user || !known) throw new WrongProof(401, 'Invalid email or password')
  if (!user.totp_enabled) return { user, step: null }
  if (totpToken === undefined) return unauthorized('totpToken is required: two-factor login is on')
  const secret = ctx.secrets.unseal(totpPurpose, user.totp_secret ?? '')
  const step = checkTotp(secret, totpToken, ctx.clock.now(), user.totp_last_step)
  return step === null ? wrongCode() : { user, step }
}

/** Marks the code as used in the transaction of the login, so that of two logins with one code the second fails. */
const enter = async (ctx: Storage, tx: Tx, entrant: Entrant, ip: string) => {
  const { id, org_id } = entrant.user
  if (entrant.step !== null && !(await store.useTotpStep(tx, id, entrant.step))) wrongCode()
  const event = { action: 'auth.logged_in', resourceType: 'user', resourceId: id, now: ctx.clock.now() }
  await recordAudit(tx, { orgId: org_id, userId: id, ip }, event)
  return entrant
}

const wrongCode = (): never => {
  throw new WrongProof(401, 'totpToken is wrong')
}

/** The purpose that secrets of authenticators are sealed for. */
export const totpPurpose = 'storage.totp'
