import type { Cache } from '#platform/cache/signalled.ts'
import { unauthorized } from '#platform/errors.ts'
import { circleFor, maySee } from '../audience.ts'
import type { Publishing, Viewer } from '../context.ts'
import type { Person } from '../profiles/store.ts'
import type { EmbeddedPost, Post } from './schema.ts'
import { findMarks, type PostRow } from './store.ts'

type ById<V> = ReadonlyMap<number, V>
/** `shown` is whatever decides what is seen, also of those who are gone or hidden now. */
type Gathered = { originals: ById<PostRow>; people: ById<Person>; shown: Seen }
type Seen = { people: number[]; posts: number[] }

const original = ({ quote_of_id, repost_of_id }: PostRow) => quote_of_id ?? repost_of_id

// A row and its author are remembered as long as nothing changes; so may be what they look like.
const drawn = new WeakMap<PostRow, { author: Person; base: string; lost: string; post: Post }>()

/** Mentions of accounts that are gone or suspended since are plain text. */
const withoutLost = (row: PostRow, lost: readonly string[]): PostRow => {
  const mentions = row.mentions.filter((handle) => !lost.includes(handle))
  const link = new RegExp(`<a href="/@(?:${lost.join('|')})">(@\\w+)</a>`, 'g')
  return { ...row, mentions, content_html: row.content_html.replace(link, '$1') }
}

const draw = (base: string, row: PostRow, author: Person, people: ById<Person>): Post => {
  const lost = row.mentions.filter((_, n) => people.get(row.mention_ids[n]!)?.isSuspended !== false)
  const known = drawn.get(row)
  if (known?.author === author && known.base === base && known.lost === lost.join()) return known.post
  const {
    author_id: _,
    mention_ids: __,
    content_html,
    ...rest
  } = lost.length > 0 ? withoutLost(row, lost) : row
  const { id, username, handle, avatar_url, is_verified } = author
  const post = {
    ...rest,
    content_html: content_html.replaceAll('href="/', `href="${base}/`),
    url: `${base}/@${handle}/${row.id}`,
    author: { id, username, handle, avatar_url, is_verified },
    quoted_post: null,
    reposted_post: null,
  }
  drawn.set(row, { author, base, lost: lost.join(), post })
  return post
}

/** One level is shown: what an original quotes itself is not. */
const embedded = ({ quoted_post: _, reposted_post: __, ...post }: Post): EmbeddedPost => post

/** Everything that is asked for, at once when all of it is remembered; what does not exist is left out. */
const recall = async <V extends { id: number }>(
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

/** Everything that showing `rows` needs, in as few questions as possible. */
const gather = async ({ memory }: Publishing, rows: readonly PostRow[]): Promise<Gathered> => {
  const nestedIds = rows.map(original).filter((id) => id !== null)
  const originals = await recall(memory.posts, nestedIds)
  const ids = new Set<number>()
  for (const { author_id, mention_ids } of [...rows, ...originals.values()]) {
    ids.add(author_id)
    for (const id of mention_ids) ids.add(id)
  }
  const shown = { people: [...ids], posts: [...rows.map(({ id }) => id), ...nestedIds] }
  return { originals, people: await recall(memory.people, ids), shown }
}

type Getter<V> = (id: number) => V | undefined

const show = (
  base: string,
  row: PostRow,
  author: Person,
  { originals, people }: Gathered,
  visibleAuthor: Getter<Person>,
): Post => {
  const nested = originals.get(original(row) ?? 0)
  const writer = nested && visibleAuthor(nested.author_id)
  const post = draw(base, row, author, people)
  if (!nested || !writer) return post
  const place = row.quote_of_id === null ? 'reposted_post' : 'quoted_post'
  return { ...post, [place]: embedded(draw(base, nested, writer, people)) }
}

/** Finds those accounts whose posts the viewer may see. */
const visibleAuthors = async (
  ctx: Publishing,
  viewer: Viewer,
  { people }: Gathered,
): Promise<Getter<Person>> => {
  const circle = await circleFor(ctx, viewer, [...people.values()])
  return (id) => {
    const person = people.get(id)
    return person && maySee(person, viewer, circle) ? person : undefined
  }
}

const showRows = async (ctx: Publishing, viewer: Viewer, rows: readonly PostRow[]) => {
  const gathered = await gather(ctx, rows)
  const visibleAuthor = await visibleAuthors(ctx, viewer, gathered)
  const base = ctx.config.urls.publishing
  const posts: Post[] = []
  for (const row of rows) {
    const author = visibleAuthor(row.author_id)
    if (author) posts.push(show(base, row, author, gathered, visibleAuthor))
  }
  return { posts, shown: gathered.shown }
}

/** These posts in this order as a viewer sees them, and what that depends on. */
export const drawPosts = async (ctx: Publishing, viewer: Viewer, ids: readonly number[]) => {
  const known = await recall(ctx.memory.posts, ids)
  return showRows(
    ctx,
    viewer,
    ids.map((id) => known.get(id)).filter((row) => row !== undefined),
  )
}

/** These posts in this order, as the viewer may see them; what they may not see is left out. */
export const showPosts = async (ctx: Publishing, viewer: Viewer, ids: readonly number[]): Promise<Post[]> => {
  const { posts } = await drawPosts(ctx, viewer, ids)
  if (!viewer || posts.length === 0) return posts
  const marks = await findMarks(ctx.db.sql, viewer.userId, posts.map(markedId))
  const marked = (mark: 'like' | 'repost') =>
    new Set(marks.filter((found) => found.mark === mark).map(({ id }) => id))
  const [liked, reposted] = [marked('like'), marked('repost')]
  return posts.map((post) => {
    const id = markedId(post)
    return { ...post, viewer: { liked: liked.has(id), reposted: reposted.has(id) } }
  })
}

/** A repost stands for its original. */
const markedId = ({ id, repost_of_id }: Post) => repost_of_id ?? id

/**
 * A post that the viewer has just written. It is not looked up, because it may not be committed yet, and its author sees
 * it even if the account was suspended in the meantime.
 */
export const showNew = async (ctx: Publishing, viewer: NonNullable<Viewer>, row: PostRow): Promise<Post> => {
  const gathered = await gather(ctx, [row])
  const author = gathered.people.get(row.author_id) ?? unauthorized('Invalid or expired token')
  const visibleAuthor = await visibleAuthors(ctx, viewer, gathered)
  const post = show(ctx.config.urls.publishing, row, author, gathered, visibleAuthor)
  if (viewer.keyId !== undefined) return post
  return { ...post, viewer: { liked: false, reposted: row.type === 'repost' } }
}
