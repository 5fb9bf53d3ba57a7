import type { Cache } from '#platform/cache/signalled.ts'
import { unauthorized } from '#platform/errors.ts'
import type { Publishing, Viewer } from '../context.ts'
import { accounts } from '../profiles/cache.ts'
import type { Account } from '../profiles/profiles.ts'
import { postRows } from './cache.ts'
import type { Author, EmbeddedPost, Post } from './schema.ts'
import { findViewerState, type PostRow } from './store.ts'
import { maySee, relationsFor } from './visibility.ts'

type ById<V> = ReadonlyMap<number, V>
/** What rendering depends on: whatever decides what is seen, deleted and hidden things included. */
type Shown = { accounts: number[]; posts: number[] }
/** All that is needed to render some posts for a viewer. */
type Material = {
  base: string
  /** Of those who have not chosen one. */
  language: string
  originals: ById<PostRow>
  accounts: ById<Account>
  /** The author of a post if the viewer may see it. */
  visibleAuthor(id: number): Account | undefined
  shown: Shown
}

const nestedId = ({ quote_of_id, repost_of_id }: PostRow) => quote_of_id ?? repost_of_id

/** Mentions of accounts that have been deleted or suspended since become plain text. */
const withoutLost = (row: PostRow, lost: readonly string[]): PostRow => {
  const mentions = row.mentions.filter((handle) => !lost.includes(handle))
  const link = new RegExp(`<a href="/@(?:${lost.join('|')})">(@\\w+)</a>`, 'g')
  return { ...row, mentions, content_html: row.content_html.replace(link, '$1') }
}

/** Who wrote a post, in which language. */
type Writer = Author & Pick<Account, 'language'>

const renderRow = ({ base, language, accounts }: Material, row: PostRow, author: Writer): Post => {
  const lost = row.mentions.filter((_, n) => accounts.get(row.mention_ids[n]!)?.isSuspended !== false)
  const {
    author_id: _,
    mention_ids: __,
    content_html,
    ...shown
  } = lost.length > 0 ? withoutLost(row, lost) : row
  const { id, username, handle, avatar_url, is_verified } = author
  return {
    ...shown,
    content_html: content_html.replaceAll('href="/', `href="${base}/`),
    language: author.language ?? language,
    url: `${base}/@${handle}/${row.id}`,
    author: { id, username, handle, avatar_url, is_verified },
    quoted_post: null,
    reposted_post: null,
  }
}

/** Only one level is embedded: not what an embedded post quotes in turn. */
const embedded = ({ quoted_post: _, reposted_post: __, ...post }: Post): EmbeddedPost => post

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

const gather = async (ctx: Publishing, viewer: Viewer, rows: readonly PostRow[]): Promise<Material> => {
  const nestedIds = rows.map(nestedId).filter((id) => id !== null)
  const originals = await getAll(postRows(ctx), nestedIds)
  const ids = new Set<number>()
  for (const { author_id, mention_ids } of [...rows, ...originals.values()]) {
    ids.add(author_id)
    for (const id of mention_ids) ids.add(id)
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
    shown: { accounts: [...ids], posts: [...rows.map(({ id }) => id), ...nestedIds] },
  }
}

const renderWithOriginal = (material: Material, row: PostRow, author: Writer): Post => {
  const nested = material.originals.get(nestedId(row) ?? 0)
  const nestedAuthor = nested && material.visibleAuthor(nested.author_id)
  const post = renderRow(material, row, author)
  if (!nested || !nestedAuthor) return post
  const original = embedded(renderRow(material, nested, nestedAuthor))
  return row.quote_of_id === null ? { ...post, reposted_post: original } : { ...post, quoted_post: original }
}

/** These posts in this order, as the viewer may see them, without the viewer's likes; and what that depends on. */
export const renderTracked = async (ctx: Publishing, viewer: Viewer, ids: readonly number[]) => {
  const known = await getAll(postRows(ctx), ids)
  const rows = ids.map((id) => known.get(id)).filter((row) => row !== undefined)
  const material = await gather(ctx, viewer, rows)
  const posts: Post[] = []
  for (const row of rows) {
    const author = material.visibleAuthor(row.author_id)
    if (author) posts.push(renderWithOriginal(material, row, author))
  }
  return { posts, shown: material.shown }
}

/** A given row of a post, if the viewer may see its author. `deleted` stands in for an author whose account is deleted. */
export const renderRowFor = async (ctx: Publishing, viewer: Viewer, row: PostRow, deleted?: Writer) => {
  const material = await gather(ctx, viewer, [row])
  const author = material.accounts.has(row.author_id) ? material.visibleAuthor(row.author_id) : deleted
  return author && renderWithOriginal(material, row, author)
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

type NewRow = Pick<
  PostRow,
  'id' | 'author_id' | 'type' | 'content' | 'content_html' | 'hashtags' | 'mentions' | 'mention_ids'
> &
  Partial<PostRow>

/** The row of a post that has just been written, without reading it back. */
export const newRow = (written: NewRow, now: Date): PostRow => ({
  parent_id: null,
  root_id: null,
  quote_of_id: null,
  repost_of_id: null,
  reply_settings: 'everyone',
  ...written,
  like_count: 0,
  repost_count: 0,
  quote_count: 0,
  reply_count: 0,
  created_at: now.toISOString(),
  edited_at: null,
})

/**
 * A post that the viewer has just written. It is not looked up, because it may not be committed yet, and its author sees
 * it even if the account was suspended in the meantime.
 */
export const renderNew = async (
  ctx: Publishing,
  viewer: NonNullable<Viewer>,
  row: PostRow,
): Promise<Post> => {
  const material = await gather(ctx, viewer, [row])
  const author = material.accounts.get(row.author_id) ?? unauthorized('Invalid or expired token')
  const post = renderWithOriginal(material, row, author)
  if (viewer.keyId !== undefined) return post
  return { ...post, viewer: { liked: false, reposted: row.type === 'repost' } }
}
