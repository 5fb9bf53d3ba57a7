import type { IncomingHttpHeaders } from 'node:http'
import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { orNobody } from '#platform/auth/console-sessions.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { recordAudit, recordFailedLogin } from '../audit/audit.ts'
import type { Storage } from '../context.ts'
import { currentAccount } from './accounts.ts'
import type { Login, NewSession } from './schema.ts'
import { sessions } from './sessions.ts'
import * as store from './store.ts'
import { tokens } from './tokens.ts'
import { checkTotp } from './totp.ts'
import { userCache } from './users.ts'

/** `codeField` is what the request calls the code. */
type Proof = { email: string; password: string; code?: string | undefined; codeField: string }
type Entrant = { user: store.Credentials; step: number | null; codeField: string }
type SessionRequest = { headers: IncomingHttpHeaders; ip: string }

export const logIn = async (ctx: Storage, { totpToken, ...input }: Login, ip: string) => {
  const proof = { ...input, code: totpToken, codeField: 'totpToken' }
  const user = await signIn(ctx, proof, ip, async (_, user) => user)
  const token = await tokens(ctx).issue({ sub: user.id, epoch: user.token_epoch })
  return { token, ...(await accountOf(ctx, user)) }
}

/** Opens a session of the console; returns its cookie and the account. */
export const openSession = async (ctx: Storage, input: NewSession, req: SessionRequest) => {
  const { user, setCookie } = await signIn(ctx, { ...input, codeField: 'code' }, req.ip, async (tx, user) => {
    const setCookie = await sessions.open(ctx, tx, req, user.id, { epoch: user.token_epoch })
    return { user, setCookie }
  })
  return { setCookie, account: await accountOf(ctx, user) }
}

/** Who is signed in to the console that sent this request, if anybody is. */
export const accountOfSession = async (ctx: Storage, req: { headers: IncomingHttpHeaders }) => {
  const found = await orNobody(sessions.account(ctx, req, (id) => userCache(ctx).get(id)))
  return found && orNobody(currentAccount(ctx, { userId: found.account.id, orgId: found.account.orgId }))
}

const accountOf = (ctx: Storage, { id, org_id }: store.Credentials) =>
  currentAccount(ctx, { userId: id, orgId: org_id })

/** Runs `act` in the transaction that lets the user in. */
const signIn = async <T>(
  ctx: Storage,
  proof: Proof,
  ip: string,
  act: (tx: Tx, user: store.Credentials) => Promise<T>,
) => {
  const { email } = proof
  const found = await store.findCredentials(ctx.db.sql, email)
  return attempt(
    ctx,
    { service: 'storage', email },
    () => recognise(ctx, found, proof),
    async (tx, entrant) => {
      await enter(ctx, tx, entrant, ip)
      return act(tx, entrant.user)
    },
  ).catch(async (error) => {
    if (error instanceof AppError && error.status === 401)
      await recordFailedLogin(ctx, found, ip, error.message)
    throw error
  })
}

/** The user whose password this is. The second factor, if enabled, must be right too. */
const recognise = async (
  ctx: Storage,
  user: store.Credentials | undefined,
  { password, code, codeField }: Proof,
): Promise<Entrant> => {
  const known = await ctx.passwords.verify(user?.password_hash ?? null, password)
  if (!user || !known) throw new WrongProof(401, 'Invalid email or password')
  if (!user.totp_enabled) return { user, step: null, codeField }
  if (code === undefined) return codeIsMissing(codeField)
  const secret = ctx.secrets.unseal(totpPurpose, user.totp_secret ?? '')
  const step = checkTotp(secret, code, ctx.clock.now(), user.totp_last_step)
  return step === null ? wrongCode(codeField) : { user, step, codeField }
}

/** Marks the code as used in the transaction of the login, so that of two logins with one code the second fails. */
const enter = async (ctx: Storage, tx: Tx, entrant: Entrant, ip: string) => {
  const { id, org_id } = entrant.user
  if (entrant.step !== null && !(await store.useTotpStep(tx, id, entrant.step))) wrongCode(entrant.codeField)
  const event = { action: 'auth.logged_in', resourceType: 'user', resourceId: id, now: ctx.clock.now() }
  await recordAudit(tx, { orgId: org_id, userId: id, ip }, event)
}

const aboutCode = (field: string, reason: string) => ({ details: [{ field, reason }] })

/** No failed attempt: how else would somebody learn that a code is needed? */
const codeIsMissing = (field: string): never => {
  const reason = 'is required: two-factor login is on'
  throw new AppError(401, `${field} ${reason}`, aboutCode(field, reason))
}

const wrongCode = (field: string): never => {
  throw new WrongProof(401, `${field} is wrong`, aboutCode(field, 'is wrong'))
}

/** The purpose that secrets of authenticators are sealed for. */
export const totpPurpose = 'storage.totp'
