import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import type { Principal, Publishing } from './context.ts'
import { follow } from './graph/graph.ts'
import { repost, setLiked } from './interactions/interactions.ts'
import { createPost } from './posts/posts.ts'
import { changeProfile } from './profiles/profiles.ts'

const password = 'trivet-demo'
const people = [
  {
    handle: 'mira',
    username: 'Mira Okafor',
    bio: 'Tide tables, lighthouses, long walks.',
    location: 'Whitby',
    posts: [
      'Low tide at **noon**: the old wreck is out of the sand again. #tides #whitby',
      'Whoever painted the harbour railings blue, thank you.',
      'Reading up on fog signals. Did you know that some were fired by *gun cotton*? #lighthouses',
    ],
  },
  {
    handle: 'jonas',
    username: 'Jonas Lind',
    bio: 'Brödbak och cykelturer.',
    location: 'Uppsala',
    posts: ['Dagens bröd: råg och kummin. #bröd', 'Fyris å i solnedgången, 24 km på cykeln. #cykel'],
  },
  {
    handle: 'haruka',
    username: '遥',
    bio: '写真と珈琲。',
    location: '京都',
    posts: ['朝の鴨川で一枚。#写真 #京都', '新しい珈琲豆、香りがいい。#珈琲'],
  },
]

/** A few believable accounts who know each other and have something to say. */
export const demo = async (ctx: Publishing) => {
  const made: Principal[] = []
  for (const { handle, username, posts: _, ...profile } of people) {
    const email = `${handle}@pages.example`
    if (await findCredentials(ctx.db.sql, email)) continue
    const { user } = await register(ctx, { email, password, handle, username })
    const me = { userId: user.id, handle, isAdmin: false }
    await changeProfile(ctx, me, profile)
    made.push(me)
  }
  if (made.length === people.length) await converse(ctx, made)
  return people.map(({ handle }) => ({ role: `@${handle}`, login: `${handle}@pages.example`, password }))
}

const converse = async (ctx: Publishing, everybody: Principal[]) => {
  const [mira, jonas, haruka] = everybody as [Principal, Principal, Principal]
  for (const me of everybody)
    for (const other of everybody) if (me !== other) await follow(ctx, me, other.handle)
  const ids: number[] = []
  for (const [at, me] of everybody.entries())
    for (const content of people[at]!.posts) ids.push((await createPost(ctx, me, { content })).post.id)
  const [tide, , fog, bread] = ids as [number, number, number, number]
  await createPost(ctx, jonas, { content: 'I want to see that wreck!', type: 'reply', parentId: tide })
  await createPost(ctx, mira, { content: 'Smells good from here, @jonas', type: 'quote', quoteOfId: bread })
  for (const me of [jonas, haruka]) await setLiked(ctx, me, tide, true)
  await repost(ctx, haruka, fog)
}
