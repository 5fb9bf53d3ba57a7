import { type Cache, signalledCache } from '#platform/cache/signalled.ts'
import { unauthorized } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Publishing, Viewer } from '../context.ts'
import { maxCounterAgeMs, topics } from '../invalidation.ts'
import { loader } from '../loader.ts'
import { withPublicUrls } from '../picture-urls.ts'
import { accounts } from '../profiles/cache.ts'
import type { Account } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import { publicUrl, withPublicLinks } from '../public-urls.ts'
import type { Audience, Author, EmbeddedPost, Post } from './schema.ts'
import { findPosts, findViewerState, type PostRow, untouched } from './store.ts'
import { maySee, relationsFor } from './visibility.ts'

/** The row of a post, and those of its fields that are the same for whoever sees it. */
type StoredPost = { id: number; row: PostRow; fields: Omit<PostRow, 'author_id' | 'mention_ids'> }

const storedPost = (base: string, row: PostRow): StoredPost => {
  const { author_id: _, mention_ids: __, content_html, ...fields } = row
  return { id: row.id, row, fields: { ...fields, content_html: withPublicLinks(base, content_html) } }
}

/** Posts by id; deleted ones are not there. */
const storedPosts = moduleState(({ config, db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.post,
    max: 100_000,
    maxAgeMs: maxCounterAgeMs,
    load: loader(async (ids) =>
      (await findPosts(db.sql, ids)).map((row) => storedPost(config.urls.publishing, row)),
    ),
  }),
)

type ById<V> = ReadonlyMap<number, V>
/** What rendering depends on: whatever decides what is seen, deleted and hidden things included. */
type Shown = { accounts: number[]; posts: number[] }
/** All that is needed to render some posts for a viewer. */
type Material = {
  base: string
  /** Of those who have not chosen one. */
  language: string
  originals: ById<StoredPost>
  accounts: ById<Account>
  /** The author of a post if the viewer may see it. */
  visibleAuthor(id: number): Account | undefined
  shown: Shown
}

const nestedId = ({ quote_of_id, repost_of_id }: PostRow) => quote_of_id ?? repost_of_id

/** Mentions of accounts that have been deleted or suspended since become plain text. */
const withoutLost = (fields: StoredPost['fields'], lost: readonly string[]) => {
  const mentions = fields.mentions.filter((handle) => !lost.includes(handle))
  const link = new RegExp(`<a href="[^"]+/@(?:${lost.join('|')})">(@\\w+)</a>`, 'g')
  return { ...fields, mentions, content_html: fields.content_html.replace(link, '$1') }
}

/** Who wrote a post, in which language. */
type Writer = Author & Pick<Account, 'language'>

/** A post without what it quotes or reposts. */
const renderAlone = (material: Material, { row, fields }: StoredPost, author: Writer): EmbeddedPost => {
  const { base, accounts } = material
  const lost = row.mentions.filter((_, n) => accounts.get(row.mention_ids[n]!)?.isSuspended !== false)
  const { id, username, handle, avatar_url, is_verified } = author
  return {
    ...(lost.length > 0 ? withoutLost(fields, lost) : fields),
    language: author.language ?? material.language,
    url: publicUrl(base, `/@${handle}/${row.id}`),
    author: { id, username, handle, avatar_url, is_verified },
  }
}

/** Gets entries from a cache, without waiting if all of them are cached; what does not exist is left out. */
const getAll = async <V extends { id: number }>(
  cache: Cache<V | undefined>,
  ids: Iterable<number>,
): Promise<ById<V>> => {
  const found = new Map<number, V>()
  const waiting: Promise<unknown>[] = []
  const keep = (value: V | undefined) => value && found.set(value.id, value)
  for (const id of ids) {
    const value = cache.get(String(id))
    if (value instanceof Promise) waiting.push(value.then(keep))
    else keep(value)
  }
  if (waiting.length > 0) await Promise.all(waiting)
  return found
}

const gather = async (ctx: Publishing, viewer: Viewer, posts: readonly StoredPost[]): Promise<Material> => {
  const nestedIds = posts.map(({ row }) => nestedId(row)).filter((id) => id !== null)
  const originals = await getAll(storedPosts(ctx), nestedIds)
  const ids = new Set<number>()
  for (const { row } of [...posts, ...originals.values()]) {
    ids.add(row.author_id)
    for (const id of row.mention_ids) ids.add(id)
  }
  const found = await getAll(accounts(ctx), ids)
  const viewerRelations = await relationsFor(ctx, viewer, [...found.values()])
  return {
    base: ctx.config.urls.publishing,
    language: ctx.instance.current.language,
    originals,
    accounts: found,
    visibleAuthor(id) {
      const author = found.get(id)
      return author && maySee(author, viewer, viewerRelations) ? author : undefined
    },
    shown: { accounts: [...ids], posts: [...posts.map(({ id }) => id), ...nestedIds] },
  }
}

/** Only one level is embedded: not what an embedded post quotes in turn. */
const renderStored = (material: Material, post: StoredPost, author: Writer): Post => {
  const nested = material.originals.get(nestedId(post.row) ?? 0)
  const nestedAuthor = nested && material.visibleAuthor(nested.row.author_id)
  const original = nestedAuthor ? renderAlone(material, nested, nestedAuthor) : null
  const isRepost = post.row.type === 'repost'
  return {
    ...renderAlone(material, post, author),
    quoted_post: isRepost ? null : original,
    reposted_post: isRepost ? original : null,
  }
}

/** These posts in this order, as the viewer may see them, without the viewer's likes; and what that depends on. */
export const renderTracked = async (ctx: Publishing, viewer: Viewer, ids: readonly number[]) => {
  const known = await getAll(storedPosts(ctx), ids)
  const found = ids.map((id) => known.get(id)).filter((post) => post !== undefined)
  const material = await gather(ctx, viewer, found)
  const posts: Post[] = []
  for (const post of found) {
    const author = material.visibleAuthor(post.row.author_id)
    if (author) posts.push(renderStored(material, post, author))
  }
  return { posts, shown: material.shown }
}

/** A repost stands for its original. */
const originalId = ({ id, repost_of_id }: Post) => repost_of_id ?? id

/** These posts in this order, as the viewer may see them; those that the viewer may not see are left out. */
export const renderPosts = async (
  ctx: Publishing,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Post[]> => {
  const { posts } = await renderTracked(ctx, viewer, ids)
  if (!viewer || posts.length === 0) return posts
  const found = await findViewerState(ctx.db.sql, viewer.userId, posts.map(originalId))
  const idsIn = (wanted: 'liked' | 'reposted') =>
    new Set(found.filter(({ state }) => state === wanted).map(({ id }) => id))
  const [liked, reposted] = [idsIn('liked'), idsIn('reposted')]
  return posts.map((post) => {
    const id = originalId(post)
    return { ...post, viewer: { liked: liked.has(id), reposted: reposted.has(id) } }
  })
}

/**
 * A post that the viewer has just written. It is not looked up, because it may not be committed yet, and its author sees
 * it even if the account was suspended in the meantime.
 */
export const renderNew = async (
  ctx: Publishing,
  viewer: NonNullable<Viewer>,
  row: PostRow,
): Promise<Post> => {
  const stored = storedPost(ctx.config.urls.publishing, row)
  const material = await gather(ctx, viewer, [stored])
  const author = material.accounts.get(row.author_id) ?? unauthorized('Invalid or expired token')
  const post = renderStored(material, stored, author)
  if (viewer.keyId !== undefined) return post
  return { ...post, viewer: { liked: false, reposted: row.type === 'repost' } }
}

/** A given row of a post, if the viewer may see its author. `deleted` stands in for an author whose account is deleted. */
const renderRow = async (ctx: Publishing, viewer: Viewer, row: PostRow, deleted?: Writer) => {
  const stored = storedPost(ctx.config.urls.publishing, row)
  const material = await gather(ctx, viewer, [stored])
  const author = material.accounts.has(row.author_id) ? material.visibleAuthor(row.author_id) : deleted
  return author && renderStored(material, stored, author)
}

/** What may change of a post while it exists; what is left out was not there yet. */
export type PostParts = Partial<PostRow>

/** A post as it was, if it still exists and the viewer may see it now. */
export const renderParts = async (ctx: Publishing, viewer: Viewer, id: number, parts: PostParts) => {
  const post = await storedPosts(ctx).get(String(id))
  return post && renderRow(ctx, viewer, { ...post.row, ...untouched, ...parts })
}

export const isThere = async (ctx: Publishing, id: number) =>
  (await storedPosts(ctx).get(String(id))) !== undefined

/** All of a post that is deleted by now. */
export type DeletedPost = { post: PostRow; author: Profile; audience: Audience }

/** If its author has been deleted too, everybody may see that a post is gone which everybody could see. */
export const renderDeleted = (ctx: Publishing, viewer: Viewer, { post, author, audience }: DeletedPost) =>
  renderRow(
    ctx,
    viewer,
    post,
    audience === 'public' ? withPublicUrls(ctx.config.urls.publishing, author) : undefined,
  )
