import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

// Whatever hides an account or a post must hide it on every way of reading, also where the response was kept before.
const system = await boot()
const { publishing } = system
type Writer = Awaited<ReturnType<typeof publisher>>

let scenes = 0
/** An author whose posts say a word that nobody else says, and who is in everybody's lists. */
const scene = async () => {
  const word = `marmalade${++scenes}`
  const [author, other, follower, stranger] = await Promise.all([0, 1, 2, 3].map(() => publisher(system)))
  const everybody = { author, other, follower, stranger } as Record<string, Writer>
  const { author: a, other: o, follower: f } = everybody as Record<'author' | 'other' | 'follower', Writer>
  await f.api(`POST /api/users/${a.handle}/follow`)
  const theirs = await writePost(o, 'Which jam?')
  const post = await writePost(a, `I like ${word} #${word}`)
  const edited = await writePost(a, `First ${word}`)
  await a.api(`PATCH /api/posts/${edited.id}`, { body: { content: `Second ${word} #${word}` } })
  const reply = await writePost(a, `${word}, of course`, { type: 'reply', parentId: theirs.id })
  const quote = await writePost(a, `${word} for this`, { type: 'quote', quoteOfId: theirs.id })
  const quoting = await writePost(o, 'Somebody has said it', { type: 'quote', quoteOfId: post.id })
  const reposting = (await o.api(`POST /api/posts/${post.id}/repost`)).body.data.post
  return { word, ...(everybody as Record<'author' | 'other' | 'follower' | 'stranger', Writer>), theirs, post, edited, reply, quote, quoting, reposting }
} // biome-ignore format: one line
type Scene = Awaited<ReturnType<typeof scene>>

const path = ({ url }: { url: string }) => new URL(url).pathname
/** Every way of reading what the author wrote. `each` are operations of the reference, `pages` what it does not list. */
const each: Record<string, (s: Scene) => string | string[]> = {
  getPost: ({ post, edited, quoting, reposting, reply, quote }) =>
    [post, edited, quoting, reposting, reply, quote].map(({ id }) => `/api/posts/${id}`),
  getPostHistory: ({ edited }) => `/api/posts/${edited.id}/history`,
  listUserPosts: ({ author, other }) => [author, other].map(({ handle }) => `/api/users/${handle}/posts`),
  listReplies: ({ theirs }) => `/api/posts/${theirs.id}/replies`,
  listQuotes: ({ theirs }) => `/api/posts/${theirs.id}/quotes`,
  exploreTimeline: () => '/api/timeline/explore?limit=100',
  homeTimeline: () => '/api/timeline/home?limit=100',
  hashtagTimeline: ({ word }) => `/api/timeline/hashtag/${word}`,
  listHashtagPosts: ({ word }) => `/api/hashtags/${word}`,
  search: ({ word }) => [`/api/search?q=${word}`, `/api/search?q=${word}&type=post`],
  getUserFeedRss: ({ author, other }) => [author, other].map(({ handle }) => `/api/users/${handle}/feed.rss`),
  getUserFeedAtom: ({ author, other }) => [author, other].map(({ handle }) => `/api/users/${handle}/feed.atom`),
  getUserFeedJson: ({ author, other }) => [author, other].map(({ handle }) => `/api/users/${handle}/feed.json`),
  getHashtagFeedRss: ({ word }) => `/api/hashtags/${word}/feed.rss`,
  getHashtagFeedAtom: ({ word }) => `/api/hashtags/${word}/feed.atom`,
  getHashtagFeedJson: ({ word }) => `/api/hashtags/${word}/feed.json`,
  getExploreFeedRss: () => '/feed.rss?count=50',
  getExploreFeedAtom: () => '/feed.atom?count=50',
  getExploreFeedJson: () => '/feed.json?count=50',
  getSearchFeedRss: ({ word }) => `/api/search/feed.rss?q=${word}`,
  getSearchFeedAtom: ({ word }) => `/api/search/feed.atom?q=${word}`,
  getSearchFeedJson: ({ word }) => `/api/search/feed.json?q=${word}`,
  getEmbedPage: ({ author, other }) => [author, other].map(({ handle }) => `/widget/embed/${handle}`),
  getOEmbed: ({ post }) => `/oembed?url=${encodeURIComponent(post.url)}`,
  listEvents: () => '/api/events?scope=public&limit=500',
} // biome-ignore format: a table

const pages = ({ author, other, word, ...posts }: Scene) => [
  '/',
  `/@${author.handle}`,
  `/@${other.handle}`,
  `/tags/${word}`,
  `/search?q=${word}`,
  ...[posts.post, posts.edited, posts.theirs, posts.quoting, posts.reply].map(path),
  `${path(posts.edited)}/history`,
  `${path(posts.theirs)}/quotes`,
  '/sitemap.xml',
]

/** Operations that show nothing that anybody wrote, or nothing to anybody but its owner. */
const silent = [
  'getHealth', 'getReadiness', 'getOwnProfile', 'getProfile', 'getPicture', 'listLikes', 'listReposts', 'listFollowers',
  'listFollowing', 'listFollowRequests', 'listNotifications', 'countUnreadNotifications', 'listKeys', 'listKeyUsage',
  'getKeyUsage', 'getWidgetScript', 'listSessions', 'exportAccount', 'getInstance', 'listWebhooks', 'getWebhook', 'listDeliveries',
] // biome-ignore format: a list

const waysOf = (s: Scene) => [...Object.values(each).flatMap((way) => way(s)), ...pages(s)]
const asks = (word: string, text: string) => text.replaceAll(`q=${word}`, '').split(word).length > 1

/** Which of the ways show the word to this reader. What a page says about a search or a tag of this name is no post. */
const shown = async (s: Scene, api: Client, ways = waysOf(s)) => {
  const found = await Promise.all(
    ways.map(async (way) => {
      const { status, text } = await api(`GET ${way}`)
      assert.ok(status < 500, `${way}: ${status}`)
      const said = text.replace(/<(title|h1|input|link|meta)\b[^>]*>([^<]*<\/\1>)?/g, '')
      return /I like|First |Second |, of course| for this/.test(said) && asks(s.word, said) ? way : null
    }),
  )
  return found.filter((way) => way !== null)
}

/** Asked often enough that whatever may be kept is. */
const warm = async (s: Scene, ...readers: Client[]) => {
  for (let n = 0; n < 2; n++) for (const api of readers) await shown(s, api)
}

const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi/publishing.json', import.meta.url), 'utf8'),
) as { paths: Record<string, { get?: { operationId: string } }> }

test('every operation that reads is in the table of what shows posts, or known to show none', () => {
  const operations = Object.values(document.paths).flatMap(({ get }) => get?.operationId ?? [])
  assert.deepEqual(operations.toSorted(), [...Object.keys(each), ...silent].toSorted())
})

test('a public account is shown by every way of reading', async () => {
  const s = await scene()
  const own = new Set(['/api/timeline/home?limit=100', '/sitemap.xml', ...pages(s).slice(-2)])
  const ways = waysOf(s).filter((way) => !own.has(way))
  const unseen = new Set(ways).difference(new Set(await shown(s, publishing)))
  assert.deepEqual([...unseen], [])
  assert.ok((await shown(s, s.follower.api)).includes('/api/timeline/home?limit=100'))
})

test('a protected account shows its posts to followers only, whoever has read them before', async () => {
  const s = await scene()
  const readers = [publishing, s.stranger.api, s.follower.api, s.author.api]
  await warm(s, ...readers)
  await s.author.api('PATCH /api/users/me', { body: { is_protected: true } })
  assert.deepEqual(await shown(s, publishing), [])
  assert.deepEqual(await shown(s, s.stranger.api), [])
  const forFollowers = await shown(s, s.follower.api)
  for (const way of [
    `/api/posts/${s.post.id}`,
    `/api/users/${s.author.handle}/posts`,
    `/api/users/${s.author.handle}/feed.rss`,
    `/widget/embed/${s.author.handle}`,
    '/api/timeline/home?limit=100',
  ])
    assert.ok(forFollowers.includes(way), way)
  // What followers and the author have just read is kept for nobody else.
  await warm(s, s.follower.api, s.author.api)
  for (const api of [publishing, s.stranger.api, s.other.api]) assert.deepEqual(await shown(s, api), [])
  const asking = `POST /api/users/${s.author.handle}/follow`
  assert.equal((await s.stranger.api(asking)).body.data.status, 'requested')
  assert.deepEqual(await shown(s, s.stranger.api), [])
})

test('nobody reads the posts of a suspended account', async () => {
  const s = await scene()
  const readers = [publishing, s.stranger.api, s.follower.api]
  await warm(s, ...readers)
  const ctx = service.context(system.platform)
  await setFlags(ctx, s.author.handle, { is_suspended: true })
  for (const api of readers) assert.deepEqual(await shown(s, api), [])
  await setFlags(ctx, s.author.handle, { is_suspended: false })
  assert.notDeepEqual(await shown(s, publishing), [])
})

test('nobody reads posts that were deleted, one by one or with their account', async () => {
  // Events tell what was there when something changed, also of what is gone.
  const stateOf = (s: Scene) => waysOf(s).filter((way) => !way.startsWith('/api/events'))
  const one = await scene()
  await warm(one, publishing, one.follower.api)
  for (const { id } of [one.post, one.edited, one.reply, one.quote])
    assert.equal((await one.author.api(`DELETE /api/posts/${id}`)).status, 200)
  for (const api of [publishing, one.follower.api, one.author.api])
    assert.deepEqual(await shown(one, api, stateOf(one)), [])

  const all = await scene()
  await warm(all, publishing, all.follower.api)
  assert.equal((await all.author.api('DELETE /api/users/me', { body: { password } })).status, 200)
  for (const api of [publishing, all.follower.api]) assert.deepEqual(await shown(all, api, stateOf(all)), [])
})

test('a mute hides an account from the home timeline, also what others repost of it', async () => {
  const s = await scene()
  const home = ['/api/timeline/home?limit=100']
  const me = await publisher(system)
  await me.api(`POST /api/users/${s.other.handle}/follow`)
  assert.equal((await shown(s, me.api, home)).length, 1, 'other has reposted and quoted it')
  await me.api(`POST /api/users/${s.author.handle}/mute`)
  const { text } = await me.api(`GET ${home[0]}`)
  assert.ok(!JSON.parse(text).data.posts.some(({ id }: { id: number }) => id === s.reposting.id))
  await me.api(`DELETE /api/users/${s.author.handle}/mute`)
  assert.equal((await shown(s, me.api, home)).length, 1)
})
