import type { ServiceName } from '#platform/config.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { AppError, tooManyRequests } from '#platform/errors.ts'
import { type Limit, rateLimitHeaders } from '#platform/limits/limits.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './attempts-store.ts'

/** An account as named in a request. It may not exist. */
export type Account = { service: ServiceName; email: string }

type Ctx = Pick<Platform, 'config' | 'clock' | 'db'>

const failuresOf = ({ service }: Account): Limit => ({
  name: `${service}.failures`,
  max: 5,
  windowSeconds: 15 * 60,
})
const mailsOf = ({ service }: Account): Limit => ({ name: `${service}.mails`, max: 3, windowSeconds: 3600 })

/** Thrown for a wrong password or code. No other error counts as a failed attempt. */
export class WrongProof extends AppError {}

/**
 * The clocks of two nodes may differ by this much. Attempts from further ahead come from a clock that was set back since;
 * they must not lock an account until that time is reached again.
 */
const clockToleranceMs = 60_000

const spanOf = ({ windowSeconds }: Limit, now: Date): store.Span => ({
  from: new Date(now.getTime() - windowSeconds * 1000),
  to: new Date(now.getTime() + clockToleranceMs),
})

/** How long until another attempt is allowed; null if one is allowed now. */
const waitFor = (limit: Limit, times: number[], now: Date) => {
  const { from, to } = spanOf(limit, now)
  const counted = times.filter((time) => time > from.getTime() && time <= to.getTime()).sort((a, b) => a - b)
  if (counted.length < limit.max) return null
  const secondsUntilFree = (time: number) => Math.ceil((time - now.getTime()) / 1000 + limit.windowSeconds)
  return {
    resetSeconds: secondsUntilFree(counted.at(-1)!),
    retryAfterSeconds: secondsUntilFree(counted.at(-limit.max)!),
  }
}

const refuse = (limit: Limit, wait: { resetSeconds: number; retryAfterSeconds: number }) =>
  tooManyRequests('Too many failed attempts for this account', {
    headers: rateLimitHeaders(limit, { allowed: false, limit: limit.max, remaining: 0, ...wait }),
  })

const refuseIfExhausted = (limit: Limit, times: number[], now: Date) => {
  const wait = waitFor(limit, times, now)
  if (wait) refuse(limit, wait)
}

/**
 * Verifies a password or code with `prove` and then runs `act`, allowing five failures per account in 15 minutes, whether
 * or not the account exists. This holds for parallel attempts on several nodes, too: once five failures are recorded, a
 * running attempt is refused whatever its outcome, so that nobody learns the outcome of a sixth guess. `act` runs in a
 * transaction that locks the account's failures and deletes them when it commits.
 */
export const attempt = async <Proof, T>(
  ctx: Ctx,
  account: Account,
  prove: () => Promise<Proof>,
  act: (tx: Tx, proof: Proof) => Promise<T>,
): Promise<T> => {
  if (!ctx.config.rateLimits) {
    const proof = await prove()
    return ctx.db.transaction((tx) => act(tx, proof))
  }
  const limit = failuresOf(account)
  const { email } = account
  refuseIfExhausted(limit, await store.listAttempts(ctx.db.sql, limit, email), ctx.clock.now())
  try {
    const proof = await prove()
    return await ctx.db.transaction(async (tx) => {
      refuseIfExhausted(limit, await store.lockAttempts(tx, limit, email), ctx.clock.now())
      const result = await act(tx, proof)
      await store.deleteAttempts(tx, limit, email)
      return result
    })
  } catch (error) {
    if (!(error instanceof WrongProof)) throw error
    const now = ctx.clock.now()
    const isCounted = await ctx.db.write((q) => store.addAttempt(q, limit, email, now, spanOf(limit, now)))
    if (isCounted) throw error
    const times = await store.listAttempts(ctx.db.sql, limit, email)
    return refuse(limit, waitFor(limit, times, now) ?? { resetSeconds: 1, retryAfterSeconds: 1 })
  }
}

/** After a reset by mail, earlier failures no longer count. */
export const clearFailures = (q: Sql, account: Account) =>
  store.deleteAttempts(q, failuresOf(account), account.email)

/** Whether another mail may be sent to this account, of which three an hour may. Counts it if so. */
export const mayMail = async ({ config, clock }: Ctx, tx: Tx, account: Account) => {
  if (!config.rateLimits) return true
  const limit = mailsOf(account)
  const now = clock.now()
  return store.addAttempt(tx, limit, account.email, now, spanOf(limit, now))
}

export const deleteOldAttempts = ({ db, clock }: Ctx) =>
  db.write((q) => store.deleteExpiredAttempts(q, clock.now()))
