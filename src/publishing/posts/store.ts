import type { Sql } from '#platform/db/database.ts'
import type { Listed } from '../numbered-store.ts'
import type { PostType, ReplySettings } from './schema.ts'

export type Audience = 'public' | 'followers' | 'nobody'

/** A post as it is kept, without its author. */
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

export const postColumns = (q: Sql) => q`
  id, author_id, type, content, content_html, parent_id, root_id, quote_of_id, repost_of_id, reply_settings,
  like_count, repost_count, quote_count, reply_count, hashtags, mentions, mention_ids, created_at, edited_at`

export const findPosts = (q: Sql, ids: number[]) => q<PostRow[]>`
  select ${postColumns(q)} from publishing.posts where id = any (${ids}::bigint[]) and deleted_at is null`

/** Posts `p` that a viewer may see; see audience.ts. */
export const visibleTo = (q: Sql, viewerId: number | null) =>
  viewerId === null
    ? q`p.audience = 'public'`
    : q`(p.audience = 'public' or (p.audience = 'followers' and (p.author_id = ${viewerId} or exists (
          select from publishing.follows f
          where f.follower_id = ${viewerId} and f.followee_id = p.author_id and f.is_accepted))))`

/** Which of these posts an account likes, and which it has reposted. */
export const findMarks = (q: Sql, userId: number, ids: number[]) => q<
  { id: number; mark: 'like' | 'repost' }[]
>`
  select post_id as id, 'like' as mark from publishing.likes
  where user_id = ${userId} and post_id = any (${ids}::bigint[])
  union all
  select repost_of_id, 'repost' from publishing.posts
  where author_id = ${userId} and repost_of_id = any (${ids}::bigint[]) and deleted_at is null`

/** What decides whether somebody may answer, like, quote or repost; a repost stands for its original. */
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

export const findTarget = async (q: Sql, id: number, me: number): Promise<Target | undefined> =>
  (
    await q<Target[]>`
      select p.id, p.author_id, r.id as root_id, p.audience, ${visibleTo(q, me)} as visible,
        exists (select from publishing.blocks b where (b.blocker_id = ${me} and b.blocked_id in (p.author_id, r.author_id))
          or (b.blocked_id = ${me} and b.blocker_id in (p.author_id, r.author_id))) as blocked,
        r.author_id as root_author_id, r.reply_settings,
        exists (select from publishing.follows f where f.follower_id = r.author_id and f.followee_id = ${me}
          and f.is_accepted) as followed_by_root,
        ${me} = any (r.mention_ids) as mentioned_in_root
      from publishing.posts asked
        join publishing.posts p on p.id = coalesce(asked.repost_of_id, asked.id)
        join publishing.posts r on r.id = coalesce(p.root_id, p.id)
      where asked.id = ${id} and asked.deleted_at is null and p.deleted_at is null`
  )[0]

export const findMentioned = (q: Sql, named: string[]) => q<{ id: number; handle: string }[]>`
  select id, handle from publishing.users where lower(handle) = any (${named}::text[]) and not is_suspended
  order by array_position(${named}::text[], lower(handle))`

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
  refusal: 'gone' | 'suspended' | 'burst' | 'revoked' | 'quota' | null
  free_at: string | null
  post_id: number | null
  recent_posts: string[] | null
}

/** At most one post of each author; `burst` is the most within a minute, none for no limit. */
export const createPosts = async (q: Sql, posts: NewPostRow[], now: Date, burst: number | null) => {
  const authors = posts.map(({ author_id }) => author_id)
  const targets = posts.map((post) => post.parent_id ?? post.quote_of_id).filter((id) => id !== null)
  const areTagged = posts.some(({ hashtags }) => hashtags.length > 0)
  const rows = await q<(Created & { author_id: number })[]>`
    select * from publishing.create_posts(${q.json(posts)}, ${authors}::bigint[],
      ${targets}::bigint[], ${areTagged}, ${now}, ${burst})`
  const created = new Map(rows.map((row) => [row.author_id, row]))
  return authors.map((id) => created.get(id)!)
}

type Locked = PostRow & { audience: Audience }

export const lockPost = async (q: Sql, id: number): Promise<Locked | undefined> =>
  (
    await q<Locked[]>`
      select ${postColumns(q)}, audience from publishing.posts where id = ${id} and deleted_at is null for no key update`
  )[0]

export type PostText = {
  content: string
  html: string
  hashtags: string[]
  mentions: string[]
  mentionIds: number[]
}

export const updateText = (q: Sql, id: number, t: PostText, now: Date) => q`
  update publishing.posts set content = ${t.content}, content_html = ${t.html}, hashtags = ${t.hashtags}::text[],
    mentions = ${t.mentions}::text[], mention_ids = ${t.mentionIds}::bigint[], edited_at = ${now}
  where id = ${id}`

/** An edit changes no counter of its author, but the feed; a trigger tells when. */
export const touchFeed = (q: Sql, authorId: number) => q`
  update publishing.users set feed_changed_at = feed_changed_at where id = ${authorId}`

export const keepVersion = (q: Sql, id: number) => q`
  insert into publishing.post_versions (post_id, content, created_at)
  select id, content, coalesce(edited_at, created_at) from publishing.posts where id = ${id}`

/** The present text is the newest. */
export const listVersions = (q: Sql, id: number, newestFirst: boolean, limit: number, offset: number) => q<
  { content: string; created_at: string }[]
>`
  select content, created_at from (
    select content, created_at, id as version from publishing.post_versions where post_id = ${id}
    union all
    select content, coalesce(edited_at, created_at), null from publishing.posts
    where id = ${id} and deleted_at is null
  ) versions
  order by version ${newestFirst ? q`desc nulls first` : q`nulls last`} limit ${limit} offset ${offset}`

/** Without the present one. */
export const countVersions = async (q: Sql, id: number) =>
  (await q<{ count: number }[]>`select count(*)::int from publishing.post_versions where post_id = ${id}`)[0]!
    .count

export const publishTerms = (q: Sql, ids: number[], words: string[]) => q`
  select publishing.publish_terms(${ids}::bigint[], ${words}::text[])`

export const withdrawTerms = (q: Sql, ids: number[]) => q`
  select publishing.withdraw_terms(${ids}::bigint[])`

/**
 * One account's posts of one type, whoever may see them. What is no plain post has an index of its own, by which it is
 * counted; the rest of the account's posts are plain.
 */
export const listByType = async (q: Sql, authorId: number, type: PostType, limit: number, offset: number) => {
  const own = q`publishing.posts where author_id = ${authorId} and deleted_at is null`
  const others = q`${own} and type <> 'post'`
  const found = type === 'post' ? q`${own} and type = 'post'` : q`${others} and type = ${type}`
  const total =
    type === 'post'
      ? q`(select post_count from publishing.users where id = ${authorId}) - (select count(*)::int from ${others})`
      : q`(select count(*)::int from ${found})`
  const [row] = await q<Listed[]>`
    select ${total} as total, array(select id from ${found} order by id desc limit ${limit} offset ${offset}) as ids`
  return row!
}
