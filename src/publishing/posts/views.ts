import { circleFor, maySee } from '../audience.ts'
import type { Publishing, Viewer } from '../context.ts'
import type { Person } from '../profiles/store.ts'
import type { EmbeddedPost, Post } from './schema.ts'
import { findMarks, type PostRow } from './store.ts'

const original = ({ quote_of_id, repost_of_id }: PostRow) => quote_of_id ?? repost_of_id

// A row and its author are remembered as long as nothing changes; so may be what they look like.
const drawn = new WeakMap<PostRow, { author: Person; base: string; post: EmbeddedPost }>()

const draw = (base: string, row: PostRow, author: Person): EmbeddedPost => {
  const known = drawn.get(row)
  if (known?.author === author && known.base === base) return known.post
  const { author_id: _, content_html, ...rest } = row
  const { id, username, handle, avatar_url, is_verified } = author
  const post = {
    ...rest,
    content_html: content_html.replaceAll('href="/', `href="${base}/`),
    url: `${base}/@${handle}/${row.id}`,
    author: { id, username, handle, avatar_url, is_verified },
  }
  drawn.set(row, { author, base, post })
  return post
}

type Getter<V> = (id: number) => V | undefined

/** Everything that showing `rows` needs, in as few questions as possible. */
const gather = async ({ memory }: Publishing, rows: readonly PostRow[]) => {
  const nestedIds = rows.flatMap((row) => original(row) ?? [])
  const nested =
    nestedIds.length === 0 ? [] : await Promise.all(nestedIds.map((id) => memory.posts.get(String(id))))
  const originals = new Map(nested.flatMap((row) => (row ? [[row.id, row] as const] : [])))
  const authorIds = new Set([...rows, ...originals.values()].map((row) => row.author_id))
  const found = await Promise.all([...authorIds].map((id) => memory.people.get(String(id))))
  const people = new Map(found.flatMap((person) => (person ? [[person.id, person] as const] : [])))
  return { originals, people }
}

const show = (
  base: string,
  row: PostRow,
  author: Person,
  originals: Getter<PostRow>,
  visibleAuthor: Getter<Person>,
): Post => {
  const nested = originals(original(row) ?? 0)
  const writer = nested && visibleAuthor(nested.author_id)
  const shown = nested && writer ? draw(base, nested, writer) : null
  const { quote_of_id, repost_of_id } = row
  return {
    ...draw(base, row, author),
    quoted_post: quote_of_id === null ? null : shown,
    reposted_post: repost_of_id === null ? null : shown,
  }
}

const showRows = async (ctx: Publishing, viewer: Viewer, rows: readonly PostRow[]): Promise<Post[]> => {
  const { originals, people } = await gather(ctx, rows)
  const circle = await circleFor(ctx, viewer, [...people.values()])
  const visibleAuthor = (id: number) => {
    const person = people.get(id)
    return person && maySee(person, viewer, circle) ? person : undefined
  }
  return rows.flatMap((row) => {
    const author = visibleAuthor(row.author_id)
    return author
      ? [show(ctx.config.urls.publishing, row, author, (id) => originals.get(id), visibleAuthor)]
      : []
  })
}

/** These posts in this order, as the viewer may see them; what they may not see is left out. */
export const showPosts = async (ctx: Publishing, viewer: Viewer, ids: readonly number[]): Promise<Post[]> => {
  const rows = await Promise.all(ids.map((id) => ctx.memory.posts.get(String(id))))
  const posts = await showRows(
    ctx,
    viewer,
    rows.filter((row) => row !== undefined),
  )
  if (!viewer || posts.length === 0) return posts
  const marks = await findMarks(
    ctx.db.sql,
    viewer.userId,
    posts.map(({ id }) => id),
  )
  const byId = new Map(marks.map(({ id, liked, reposted }) => [id, { liked, reposted }]))
  return posts.map((post) => ({ ...post, viewer: byId.get(post.id) ?? { liked: false, reposted: false } }))
}

/** A post that the viewer has just written: memory must not be asked for it before it is committed. */
export const showNew = async (ctx: Publishing, viewer: NonNullable<Viewer>, row: PostRow): Promise<Post> => {
  const [post] = await showRows(ctx, viewer, [row])
  if (!post) throw new Error('The author of a new post cannot be seen')
  if (viewer.keyId !== undefined) return post
  return { ...post, viewer: { liked: false, reposted: row.type === 'repost' } }
}
