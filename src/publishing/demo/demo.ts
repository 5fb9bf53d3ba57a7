import { png } from '#platform/demo-pictures.ts'
import { type Report, unreported } from '#platform/progress.ts'
import { isRegistered, register } from '../accounts/accounts.ts'
import { changeProfile } from '../accounts/profile.ts'
import { setFlags } from '../admin/flags.ts'
import type { Principal, Publishing } from '../context.ts'
import { acceptRequest, follow } from '../graph/graph.ts'
import { like } from '../interactions/likes.ts'
import { listNotifications, markShown } from '../notifications/notifications.ts'
import { changePicture } from '../pictures/pictures.ts'
import { createPost, repost } from '../posts/posts.ts'
import {
  approved,
  type Handle,
  lines,
  people,
  protectedAccount,
  suspendedAccount,
  verifiedAccount,
  views,
} from './town.ts'

const password = 'trivet-demo'
const handles = Object.keys(people) as Handle[]
const emailOf = (handle: Handle) => `${handle}@pages.example`

type Everybody = Record<Handle, Principal>

/** The service with a clock that is some hours behind. */
const past = (ctx: Publishing, hours: number): Publishing => {
  const then = new Date(ctx.clock.now().getTime() - hours * 3_600_000)
  return { ...ctx, clock: { now: () => then } }
}

const createAccounts = async (ctx: Publishing): Promise<Everybody> => {
  const made: Partial<Everybody> = {}
  for (const handle of handles) {
    const { username, ...profile } = people[handle]
    const { user } = await register(
      ctx,
      { email: emailOf(handle), password, handle, username },
      async () => null,
    )
    const me = { userId: user.id, handle, isAdmin: false }
    await changeProfile(ctx, me, profile)
    made[handle] = me
  }
  return made as Everybody
}

/** Views from where they live. Some never got round to choosing a picture. */
const uploadPictures = async (ctx: Publishing, everybody: Everybody, report: Report) => {
  for (const [n, [name, view]] of Object.entries(views).entries()) {
    report(`${n + 1} of ${Object.keys(views).length} pictures`)
    const me = everybody[name as Handle]
    await changePicture(ctx, me, 'avatar', png(view, n, { width: 200, height: 200 }))
    if (n < 3) await changePicture(ctx, me, 'banner', png(view, n + 0.5, { width: 750, height: 250 }))
  }
}

const followEachOther = async (ctx: Publishing, everybody: Everybody) => {
  const sociable = handles.filter((handle) => handle !== suspendedAccount && handle !== protectedAccount)
  for (const me of sociable)
    for (const other of sociable) if (me !== other) await follow(ctx, everybody[me], other)
  for (const handle of approved) {
    await follow(ctx, everybody[handle], protectedAccount)
    await acceptRequest(ctx, everybody[protectedAccount], handle)
  }
}

const publishPosts = async (ctx: Publishing, everybody: Everybody, report: Report) => {
  const named = new Map<string, number>()
  for (const [n, line] of lines.entries()) {
    report(`${n + 1} of ${lines.length} posts`)
    const { by, ago, text: content, as, answers, quotes, likedBy = [], repostedBy = [] } = line
    const then = past(ctx, ago)
    const place = answers
      ? { type: 'reply' as const, parentId: named.get(answers)! }
      : quotes
        ? { type: 'quote' as const, quoteOfId: named.get(quotes)! }
        : {}
    const { post } = await createPost(then, everybody[by], { content, ...place })
    if (as) named.set(as, post.id)
    for (const handle of likedBy) await like(then, everybody[handle], post.id)
    for (const handle of repostedBy) await repost(then, everybody[handle], post.id)
  }
}

/** Everybody has read what happened until yesterday. */
const readNotifications = async (ctx: Publishing, everybody: Everybody) => {
  const yesterday = past(ctx, 24).clock.now().toISOString()
  for (const me of Object.values(everybody)) {
    const { notifications } = await listNotifications(ctx, me, { page: 1, limit: 100 })
    const old = notifications.filter(({ created_at }) => created_at < yesterday).map(({ id }) => id)
    await markShown(ctx, me, old)
  }
}

/** A small town that has been talking for a week: several scripts, threads, a protected and a suspended account. */
export const demo = async (ctx: Publishing, report: Report = unreported) => {
  if (!(await isRegistered(ctx, emailOf(handles[0]!)))) {
    report(`${handles.length} accounts`)
    const everybody = await createAccounts(past(ctx, 24 * 40))
    await uploadPictures(ctx, everybody, report)
    await followEachOther(past(ctx, 24 * 39), everybody)
    await publishPosts(ctx, everybody, report)
    // This request is still waiting.
    await follow(past(ctx, 0.1), everybody.jonas, protectedAccount)
    await readNotifications(ctx, everybody)
    await setFlags(ctx, verifiedAccount, { is_verified: true })
    await setFlags(ctx, suspendedAccount, { is_suspended: true })
  }
  return handles
    .filter((handle) => handle !== suspendedAccount)
    .map((handle) => ({ role: `@${handle}`, login: emailOf(handle), password }))
}
