import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import type { Principal, Publishing } from './context.ts'
import {
  approved,
  type Handle,
  lines,
  people,
  protectedAccount,
  suspendedAccount,
  verifiedAccount,
} from './demo-town.ts'
import { answerRequest, follow } from './graph/graph.ts'
import { repost, setLiked } from './interactions/interactions.ts'
import { createPost } from './posts/posts.ts'
import { changeProfile, setFlags } from './profiles/profiles.ts'

const password = 'trivet-demo'
const handles = Object.keys(people) as Handle[]
const emailOf = (handle: Handle) => `${handle}@pages.example`

type Everybody = Record<Handle, Principal>

/** The same service some time ago. */
const past = (ctx: Publishing, hours: number): Publishing => {
  const then = new Date(ctx.clock.now().getTime() - hours * 3_600_000)
  return { ...ctx, clock: { now: () => then } }
}

const settle = async (ctx: Publishing): Promise<Everybody> => {
  const made: Partial<Everybody> = {}
  for (const handle of handles) {
    const { username, ...profile } = people[handle]
    const { user } = await register(ctx, { email: emailOf(handle), password, handle, username })
    const me = { userId: user.id, handle, isAdmin: false }
    await changeProfile(ctx, me, profile)
    made[handle] = me
  }
  return made as Everybody
}

const befriend = async (ctx: Publishing, everybody: Everybody) => {
  const sociable = handles.filter((handle) => handle !== suspendedAccount && handle !== protectedAccount)
  for (const me of sociable)
    for (const other of sociable) if (me !== other) await follow(ctx, everybody[me], other)
  for (const handle of approved) {
    await follow(ctx, everybody[handle], protectedAccount)
    await answerRequest(ctx, everybody[protectedAccount], handle, true)
  }
  await follow(ctx, everybody.jonas, protectedAccount)
}

const converse = async (ctx: Publishing, everybody: Everybody) => {
  const named = new Map<string, number>()
  for (const { by, ago, text: content, as, answers, quotes, likedBy = [], repostedBy = [] } of lines) {
    const then = past(ctx, ago)
    const place = answers
      ? { type: 'reply' as const, parentId: named.get(answers)! }
      : quotes
        ? { type: 'quote' as const, quoteOfId: named.get(quotes)! }
        : {}
    const { post } = await createPost(then, everybody[by], { content, ...place })
    if (as) named.set(as, post.id)
    for (const handle of likedBy) await setLiked(then, everybody[handle], post.id, true)
    for (const handle of repostedBy) await repost(then, everybody[handle], post.id)
  }
}

/** A small town that has been talking for a week: several scripts, threads, a protected and a suspended account. */
export const demo = async (ctx: Publishing) => {
  if (!(await findCredentials(ctx.db.sql, emailOf(handles[0]!)))) {
    const everybody = await settle(past(ctx, 24 * 40))
    await befriend(ctx, everybody)
    await converse(ctx, everybody)
    await setFlags(ctx, verifiedAccount, { is_verified: true })
    await setFlags(ctx, suspendedAccount, { is_suspended: true })
  }
  return handles
    .filter((handle) => handle !== suspendedAccount)
    .map((handle) => ({ role: `@${handle}`, login: emailOf(handle), password }))
}
