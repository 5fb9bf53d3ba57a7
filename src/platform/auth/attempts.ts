import type { ServiceName } from '#platform/config.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { type Limit, rateLimitHeaders } from '#platform/limits/limits.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './attempts-store.ts'

/** An account as a stranger names it; there need not be one. */
export type Account = { service: ServiceName; email: string }

type Ctx = Pick<Platform, 'config' | 'clock' | 'db'>

const failuresOf = ({ service }: Account): Limit => ({
  name: `${service}.failures`,
  max: 5,
  windowSeconds: 15 * 60,
})
const mailsOf = ({ service }: Account): Limit => ({ name: `${service}.mails`, max: 3, windowSeconds: 3600 })

/** A password or code that was wrong: the one kind of refusal that counts as a failed attempt. */
export class WrongProof extends AppError {}

/**
 * The clocks of nodes may differ by this much. What lies further ahead is of a clock that was set back since, and
 * must not keep anybody out until that time comes again.
 */
const skewMs = 60_000

const spanOf = ({ windowSeconds }: Limit, now: Date): store.Span => ({
  from: new Date(now.getTime() - windowSeconds * 1000),
  to: new Date(now.getTime() + skewMs),
})

/** How long until another attempt is let in; null when one is now. */
const tooMany = (limit: Limit, times: number[], now: Date) => {
  const { from, to } = spanOf(limit, now)
  const counted = times.filter((time) => time > from.getTime() && time <= to.getTime()).sort((a, b) => a - b)
  if (counted.length < limit.max) return null
  const secondsUntilFree = (time: number) => Math.ceil((time - now.getTime()) / 1000 + limit.windowSeconds)
  return {
    resetSeconds: secondsUntilFree(counted.at(-1)!),
    retryAfterSeconds: secondsUntilFree(counted.at(-limit.max)!),
  }
}

const refuse = ({ max }: Limit, wait: { resetSeconds: number; retryAfterSeconds: number }): never => {
  throw new AppError(429, 'Too many failed attempts for this account', {
    headers: rateLimitHeaders({ allowed: false, limit: max, remaining: 0, ...wait }),
  })
}

const refuseWhenSpent = (limit: Limit, times: number[], now: Date) => {
  const wait = tooMany(limit, times, now)
  if (wait) refuse(limit, wait)
}

/**
 * Lets somebody prove who they are and then act on it, with five wrong proofs in a quarter of an hour for each
 * account, known or not. However many attempts run side by side on however many nodes, the outcome of no more
 * than five wrong ones is ever told: what was proved after the fifth failure does nothing, right or wrong.
 * `act` runs in a transaction that holds the account's failures, and forgets them when it commits.
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
  refuseWhenSpent(limit, await store.listAttempts(ctx.db.sql, limit, email), ctx.clock.now())
  try {
    const proof = await prove()
    return await ctx.db.transaction(async (tx) => {
      refuseWhenSpent(limit, await store.lockAttempts(tx, limit, email), ctx.clock.now())
      const result = await act(tx, proof)
      await store.forgetAttempts(tx, limit, email)
      return result
    })
  } catch (error) {
    if (!(error instanceof WrongProof)) throw error
    const now = ctx.clock.now()
    const isCounted = await ctx.db.write((q) => store.addAttempt(q, limit, email, now, spanOf(limit, now)))
    if (isCounted) throw error
    const times = await store.listAttempts(ctx.db.sql, limit, email)
    return refuse(limit, tooMany(limit, times, now) ?? { resetSeconds: 1, retryAfterSeconds: 1 })
  }
}

/** Whoever got in by mail need not wait for earlier failures to be forgotten. */
export const forgetFailures = (q: Sql, account: Account) =>
  store.forgetAttempts(q, failuresOf(account), account.email)

/** Whether another mail may go to this account: three an hour. Counts it if so. */
export const mayMail = async ({ config, clock }: Ctx, tx: Tx, account: Account) => {
  if (!config.rateLimits) return true
  const limit = mailsOf(account)
  const now = clock.now()
  return store.addAttempt(tx, limit, account.email, now, spanOf(limit, now))
}

export const forgetOldAttempts = ({ db, clock }: Ctx) =>
  db.write((q) => store.deleteExpiredAttempts(q, clock.now()))
