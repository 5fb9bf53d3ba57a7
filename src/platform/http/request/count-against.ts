import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '#platform/addresses.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { type Limit, type Limiter, rateLimitHeaders, type Verdict } from '#platform/limits/limits.ts'

const apply = ({ refusals }: Limiter, limit: Limit, verdict: Verdict, reply: FastifyReply) => {
  const headers = rateLimitHeaders(limit, verdict)
  reply.headers(headers)
  if (verdict.allowed) return
  refusals.set(limit.name, (refusals.get(limit.name) ?? 0) + 1)
  tooManyRequests('Too many requests', { headers })
}

/** Counts a request against a limit, as so many at once. Sets the RateLimit headers of the response, or throws 429. */
export const countAgainst = (
  limiter: Limiter,
  limit: Limit,
  key: string,
  reply: FastifyReply,
  count = 1,
): void | Promise<void> => {
  const verdict = limiter.hit(limit, key, count)
  const settle = (decided: Verdict) => apply(limiter, limit, decided, reply)
  return verdict instanceof Promise ? verdict.then(settle) : settle(verdict)
}

/** The same per client address, for requests without credentials, or whose credentials may be guesses. */
export const countByAddress = (limiter: Limiter, limit: Limit, req: FastifyRequest, reply: FastifyReply) =>
  countAgainst(limiter, limit, clientOf(req.ip), reply)
