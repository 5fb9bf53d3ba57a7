import type { Sql } from '#platform/db/database.ts'
import type { PostType, ReplySettings } from './schema.ts'

export type NewPostRow = {
  author_id: number
  key_id: number | null
  type: PostType
  content: string
  content_html: string
  words: string
  parent_id: number | null
  root_id: number | null
  quote_of_id: number | null
  reply_settings: ReplySettings
  hashtags: string[]
  mentions: string[]
  mention_ids: number[]
}

export type Created = {
  post_id: number | null
  refusal: 'gone' | 'suspended' | 'burst' | 'revoked' | 'quota' | null
  free_at: string | null
  /** The times of the account's posts within the last minute, this one included. */
  recent_posts: string[]
}

/** The post that it replies to or quotes. */
export const targetOf = ({ parent_id, quote_of_id }: NewPostRow) => parent_id ?? quote_of_id

/** Whether two posts of one account may be written by one statement: see `create_posts`. */
export const mayShareStatement = (a: NewPostRow, b: NewPostRow) =>
  a.key_id === b.key_id && targetOf(a) === null && targetOf(b) === null

type CreatedGroup = Omit<Created, 'post_id'> & { author_id: number; post_ids: number[] }

/** What became of the nth post of a group: those that were accepted are the first ones. */
const createdAt = ({ post_ids, refusal, free_at, recent_posts }: CreatedGroup, nth: number): Created => {
  const post_id = post_ids[nth - 1] ?? null
  if (post_id === null) return { post_id, refusal, free_at, recent_posts }
  const later = post_ids.length - nth
  const recent = later > 0 ? recent_posts.slice(0, -later) : recent_posts
  return { post_id, refusal: null, free_at: null, recent_posts: recent }
}

/** Posts of one account must be such that they may share a statement. `burst` is how many are allowed within a minute. */
export const createPosts = async (q: Sql, posts: NewPostRow[], now: Date, burst: number | null) => {
  const groups = new Map<number, { first: NewPostRow; count: number }>()
  const places = posts.map((post) => {
    const group = groups.get(post.author_id) ?? { first: post, count: 0 }
    groups.set(post.author_id, group)
    return ++group.count
  })
  const all = [...groups.values()]
  const authors = [...groups.keys()]
  const keys = all.map(({ first }) => first.key_id)
  const targets = all.map(({ first }) => targetOf(first))
  const counts = all.map(({ count }) => count)
  const areTagged = posts.some(({ hashtags }) => hashtags.length > 0)
  const areMentioning = posts.some(({ mention_ids }) => mention_ids.length > 0)
  const items = posts.map((post, n) => ({ ...post, nth: places[n] }))
  const rows = await q<CreatedGroup[]>`
    select * from publishing.create_posts(${JSON.stringify(items)}::json, ${authors}::bigint[], ${keys}::bigint[],
      ${targets}::bigint[], ${counts}::int[], ${areTagged}, ${areMentioning}, ${now},
      ${burst})`
  const created = new Map(rows.map((row) => [row.author_id, row]))
  return posts.map(({ author_id }, n) => createdAt(created.get(author_id)!, places[n]!))
}
