import { type CountedPage, type Page, readCountedPage } from '#platform/db/counted-page.ts'
import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Audience, PostType, ReplySettings } from './schema.ts'
import { authorVisibleTo, visibleTo } from './visibility.ts'

/** A post as it is stored, without its author. */
export type PostRow = {
  id: number
  author_id: number
  type: PostType
  content: string
  content_html: string
  parent_id: number | null
  root_id: number | null
  quote_of_id: number | null
  repost_of_id: number | null
  reply_settings: ReplySettings
  like_count: number
  repost_count: number
  quote_count: number
  reply_count: number
  hashtags: string[]
  mentions: string[]
  mention_ids: number[]
  created_at: string
  edited_at: string | null
}

/** The fields of a post that nobody has reacted to, and that has not been edited. */
export const untouched = { like_count: 0, repost_count: 0, quote_count: 0, reply_count: 0, edited_at: null }

const postColumns = (q: Sql) => q`
  id, author_id, type, content, content_html, parent_id, root_id, quote_of_id, repost_of_id, reply_settings,
  like_count, repost_count, quote_count, reply_count, hashtags, mentions, mention_ids, created_at, edited_at`

export const findPosts = (q: Sql, ids: number[]) => q<PostRow[]>`
  select ${postColumns(q)} from publishing.posts where id = any (${ids}::bigint[]) and deleted_at is null`

/** Which of these posts an account likes, and which it has reposted. */
export const findViewerState = (q: Sql, userId: number, ids: number[]) => q<
  { id: number; state: 'liked' | 'reposted' }[]
>`
  select post_id as id, 'liked' as state from publishing.likes
  where user_id = ${userId} and post_id = any (${ids}::bigint[])
  union all
  select repost_of_id, 'reposted' from publishing.posts
  where author_id = ${userId} and repost_of_id = any (${ids}::bigint[]) and deleted_at is null`

/** What decides whether somebody may reply, like, quote or repost; a repost stands for its original. */
export type Target = {
  id: number
  author_id: number
  root_id: number
  audience: Audience
  visible: boolean
  blocked: boolean
  root_author_id: number
  reply_settings: ReplySettings
  followed_by_root: boolean
  mentioned_in_root: boolean
}

export const targetQuery = (q: Sql, id: number, me: number) => q<Target[]>`
    select p.id, p.author_id, r.id as root_id, p.audience, ${visibleTo(q, me)} as visible,
      exists (select from publishing.blocks b where (b.blocker_id = ${me} and b.blocked_id in (p.author_id, r.author_id))
        or (b.blocked_id = ${me} and b.blocker_id in (p.author_id, r.author_id))) as blocked,
      r.author_id as root_author_id, r.reply_settings,
      exists (select from publishing.follows f where f.follower_id = r.author_id and f.followee_id = ${me}
        and f.is_accepted) as followed_by_root,
      ${me} = any (r.mention_ids) as mentioned_in_root
    from publishing.posts requested
      join publishing.posts p on p.id = coalesce(requested.repost_of_id, requested.id)
      join publishing.posts r on r.id = coalesce(p.root_id, p.id)
    where requested.id = ${id} and requested.deleted_at is null and p.deleted_at is null`

/** The post that somebody takes a like or a repost of back, if they may see it: a repost stands for its original. */
export const visibleOriginal = (q: Sql, id: number, me: number) => q<{ id: number }[]>`
  select coalesce(p.repost_of_id, p.id) as id from publishing.posts p join publishing.users a on a.id = p.author_id
  where p.id = ${id} and p.deleted_at is null and ${authorVisibleTo(q, me)}`

/** What a post is when it is written. */
type Written = Omit<PostRow, 'id' | 'repost_of_id' | 'created_at' | keyof typeof untouched>
export type NewPost = Written & {
  key_id: number | null
  words: string
  /** How many posts an account may publish within a minute. */
  burst: number | null
  now: Date
}

/** With the times of the account's posts within the last minute, the new one included. */
type Created = { recent: string[] } & (
  | { post_id: number; refusal: null }
  | { refusal: 'gone' | 'suspended' | 'burst' | 'revoked' | 'quota'; free_at: string }
)

/** Creates posts one after the other, see `create_post`, and returns what became of each. */
export const createPosts = async (q: Sql, posts: NewPost[]): Promise<Created[]> => {
  const items = JSON.stringify(posts.map((post, n) => ({ ...post, n })))
  const rows = await q<(Created & { n: number })[]>`
    select p.n, created.*
    from json_to_recordset(${items}::json) as p (n int, author_id bigint, key_id bigint, type text, content text,
        content_html text, words text, parent_id bigint, root_id bigint, quote_of_id bigint, reply_settings text,
        hashtags text[], mentions text[], mention_ids bigint[], burst int, now timestamptz),
      lateral publishing.create_post(p.author_id, p.key_id, p.type, p.content, p.content_html, p.words, p.parent_id,
        p.root_id, p.quote_of_id, p.reply_settings, p.hashtags, p.mentions, p.mention_ids, p.burst, p.now) created`
  return rows.toSorted((a, b) => a.n - b.n)
}

export const findMentioned = (q: Sql, named: string[]) => q<{ id: number; handle: string }[]>`
  select id, handle from publishing.users where lower(handle) = any (${named}::text[]) and not is_suspended
  order by array_position(${named}::text[], lower(handle))`

type Edit = {
  content: string
  html: string
  words: string
  hashtags: string[]
  mentions: string[]
  mentionIds: number[]
  maxEdits: number
  now: Date
}
type EditOutcome = 'changed' | 'unchanged' | 'gone' | 'repost' | 'edits'

/** Changes the text of a post; see `edit_post`. */
export const editPost = (q: Sql, authorId: number, id: number, edit: Edit) =>
  value<EditOutcome>(q`
    select publishing.edit_post(${id}, ${authorId}, ${edit.content}, ${edit.html}, ${edit.words},
      ${edit.hashtags}::text[], ${edit.mentions}::text[], ${edit.mentionIds}::bigint[], ${edit.maxEdits},
      ${edit.now}) as outcome`)

type Deleted = { posts: number[]; authors: number[] }

/**
 * Deletes posts of one account; see `delete_posts`. Returns the posts that have changed and the accounts whose counters
 * have, or undefined if there was nothing to delete.
 */
const deletePosts = (q: Sql, ids: Fragment, now: Date) =>
  maybeOne(q<Deleted[]>`
    select posts, authors from publishing.delete_posts(array(${ids}), ${now}) where posts is not null`)

export const deletePost = (q: Sql, authorId: number, id: number, now: Date) =>
  deletePosts(q, q`select id from publishing.posts where id = ${id} and author_id = ${authorId}`, now)

export const deletePostsOf = (q: Sql, authorId: number, now: Date) =>
  deletePosts(q, q`select id from publishing.posts where author_id = ${authorId} and deleted_at is null`, now)

type Reposted = { refusal: 'gone' | 'suspended' } | { refusal?: never; id: number; created: boolean }

/** Reposts a post if it may be reposted; undefined if there is no such post, `reposted` is null if it may not. */
export const repost = (q: Sql, id: number, authorId: number, now: Date) =>
  maybeOne(q<(Target & { reposted: Reposted | null })[]>`
    with target as materialized (${targetQuery(q, id, authorId)})
    select t.*, case when visible and not blocked and audience = 'public'
      then publishing.repost(t.id, ${authorId}, ${now}) end as reposted
    from target t`)

/** Takes a repost back; undefined if there is no such post or it is not visible, a repost of null if there was none. */
export const unrepost = (q: Sql, id: number, authorId: number, now: Date) =>
  maybeOne(q<{ original: number; repost: number | null }[]>`
    with target as materialized (${visibleOriginal(q, id, authorId)})
    select id as original, publishing.unrepost(id, ${authorId}, ${now}) as repost from target`)

/** The current text is the newest version. */
export const listVersions = (
  q: Sql,
  id: number,
  { newestFirst, limit, offset }: Page & { newestFirst: boolean },
) => q<{ content: string; created_at: string }[]>`
  select content, created_at from (
    select content, created_at, id as version from publishing.post_versions where post_id = ${id}
    union all
    select content, coalesce(edited_at, created_at), null from publishing.posts
    where id = ${id} and deleted_at is null
  ) versions
  order by version ${newestFirst ? q`desc nulls first` : q`nulls last`} limit ${limit} offset ${offset}`

/** Without the current one. */
export const countVersions = (q: Sql, id: number) =>
  value<number>(q`
    select count(*)::int from publishing.post_versions where post_id = ${id}`)

/** Adds public posts to search and to the lists of their hashtags. */
export const indexPosts = (q: Sql, ids: number[], texts: string[]) => q`
  select publishing.index_posts(${ids}::bigint[], ${texts}::text[])`

export const unindexPosts = (q: Sql, ids: number[]) => q`
  select publishing.unindex_posts(${ids}::bigint[])`

/** All posts of one account, whoever may see them. */
export const listPosts = (q: Sql, authorId: number, page: Page) =>
  readCountedPage(
    q,
    {
      total: q`select post_count from publishing.users where id = ${authorId}`,
      entries: q`publishing.posts where author_id = ${authorId} and deleted_at is null`,
      key: 'id',
      order: 'desc',
      column: 'id',
    },
    page,
  )

/** Replies, quotes and reposts have an index of their own, by which they are counted; the other posts are plain ones. */
export const listPostsOfType = (q: Sql, authorId: number, type: PostType, { limit, offset }: Page) => {
  const own = q`publishing.posts where author_id = ${authorId} and deleted_at is null`
  const notPlain = q`${own} and type <> 'post'`
  const found = type === 'post' ? q`${own} and type = 'post'` : q`${notPlain} and type = ${type}`
  const total =
    type === 'post'
      ? q`(select post_count from publishing.users where id = ${authorId}) - (select count(*)::int from ${notPlain})`
      : q`(select count(*)::int from ${found})`
  return one(q<CountedPage[]>`
    select ${total} as total, array(select id from ${found} order by id desc limit ${limit} offset ${offset}) as ids`)
}
