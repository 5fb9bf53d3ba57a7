import { forbidden, invalid, notFound, tooManyRequests, unauthorized } from '#platform/errors.ts'
import { rateLimitHeaders } from '#platform/limits/limits.ts'

/** How many posts an account may publish within a minute. */
export const burst = 30

/** How often a post can be edited. */
export const maxEdits = 1_000

export const postNotFound = () => notFound('Post not found')

/** A limit that leaves no room for a post, and when there will be room again. */
export type Exceeded = { freeAt: string | null; recent: readonly string[]; dailyLimit: number; now: Date }

/** What is left of the burst limit: a post from the last minute counts for a minute. */
export const burstHeaders = (recent: readonly string[], now: Date, wait = 0): Record<string, string> => {
  const newest = recent.at(-1)
  if (newest === undefined) return {}
  return rateLimitHeaders(
    { name: 'publishing.posts', windowSeconds: 60 },
    {
      allowed: wait === 0,
      limit: burst,
      remaining: Math.max(0, burst - recent.length),
      resetSeconds: Math.min(60, Math.ceil((Date.parse(newest) - now.getTime()) / 1000 + 60)),
      retryAfterSeconds: wait,
    },
  )
}

/** The daily limit of an API key is used up until midnight. */
const dayHeaders = (limit: number, wait: number) =>
  rateLimitHeaders(
    { name: 'publishing.posts-of-key', windowSeconds: 24 * 3600 },
    { allowed: false, limit, remaining: 0, resetSeconds: wait, retryAfterSeconds: wait },
  )

const secondsUntilFree = ({ freeAt, now }: Exceeded) =>
  Math.max(1, Math.ceil((Date.parse(freeAt!) - now.getTime()) / 1000))

const tooMany = (message: string, wait: number, headers: Record<string, string>) =>
  tooManyRequests(message, { headers: { ...headers, 'retry-after': String(wait) } })

/** For each reason that the SQL functions of posts give, the status and the words for the client. */
export const postRefusals = {
  gone: () => postNotFound(),
  suspended: () => forbidden('Account suspended'),
  revoked: () => unauthorized('Invalid API key'),
  burst(exceeded: Exceeded) {
    const wait = secondsUntilFree(exceeded)
    const headers = burstHeaders(exceeded.recent, exceeded.now, wait)
    return tooMany(`Too many posts: at most ${burst} in 60 seconds`, wait, headers)
  },
  quota(exceeded: Exceeded) {
    const wait = secondsUntilFree(exceeded)
    const { dailyLimit } = exceeded
    const posts = dailyLimit === 1 ? 'post' : 'posts'
    return tooMany(
      `Daily limit of ${dailyLimit} ${posts} reached; it resets at midnight UTC`,
      wait,
      dayHeaders(dailyLimit, wait),
    )
  },
  repost: () => invalid('content', 'cannot be changed: a repost has no text of its own'),
  edits: () => invalid('content', `cannot be changed: a post can be edited at most ${maxEdits} times`),
}
