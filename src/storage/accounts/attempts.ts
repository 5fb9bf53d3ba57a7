import { AppError } from '#platform/errors.ts'
import { type Limit, rateLimitHeaders, type Verdict } from '#platform/limits.ts'
import type { Storage } from '../context.ts'

const failures: Limit = { name: 'storage.failed-proof', max: 5, windowSeconds: 15 * 60 }

/** A password or code that was wrong: the one kind of refusal that counts as a failed attempt. */
export class WrongProof extends AppError {}

const refuseWhenSpent = (verdict: Verdict) => {
  if (!verdict.allowed)
    throw new AppError(429, 'Too many failed attempts for this account', {
      headers: rateLimitHeaders(verdict),
    })
}

/**
 * Lets somebody prove who they are and then act on it, with five wrong proofs in a quarter of an hour for each
 * account, known or not. However many attempts run side by side on however many nodes, the outcome of no more
 * than five wrong ones is ever told: what was proved after the fifth failure does nothing, right or wrong.
 */
export const attempt = async <Proof, T>(
  ctx: Storage,
  email: string,
  prove: () => Promise<Proof>,
  act: (proof: Proof) => Promise<T>,
): Promise<T> => {
  const key = email.toLowerCase()
  try {
    refuseWhenSpent(await ctx.limiter.peek(failures, key))
    const proof = await prove()
    refuseWhenSpent(await ctx.limiter.peek(failures, key))
    return await act(proof)
  } catch (error) {
    if (error instanceof WrongProof) refuseWhenSpent(await ctx.limiter.hit(failures, key))
    throw error
  }
}

/** Whoever got in by mail need not wait for earlier failures to be forgotten. */
export const forgetFailures = (ctx: Storage, email: string) =>
  ctx.limiter.forget(failures, email.toLowerCase())
