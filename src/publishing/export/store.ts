import type { Sql } from '#platform/db/database.ts'
import type { PostType, ReplySettings } from '../posts/schema.ts'

/** Lists are read in batches, each by its key, which is the `id` of a row. */
type Slice = { after: number; max: number }

export type ExportedPost = {
  id: number
  type: PostType
  content: string
  parent_id: number | null
  quote_of_id: number | null
  repost_of_id: number | null
  reply_settings: ReplySettings
  like_count: number
  repost_count: number
  quote_count: number
  reply_count: number
  created_at: string
  edited_at: string | null
}

export const listPosts = (q: Sql, userId: number, { after, max }: Slice) => q<ExportedPost[]>`
  select id, type, content, parent_id, quote_of_id, repost_of_id, reply_settings, like_count, repost_count, quote_count,
    reply_count, created_at, edited_at
  from publishing.posts where author_id = ${userId} and deleted_at is null and id > ${after} order by id limit ${max}`

/** The earlier texts of a post. */
export const listVersions = (q: Sql, postId: number, { after, max }: Slice) => q<
  { id: number; content: string; created_at: string }[]
>`
  select id, content, created_at from publishing.post_versions
  where post_id = ${postId} and id > ${after} order by id limit ${max}`

export const listLikes = (q: Sql, userId: number, { after, max }: Slice) => q<
  { id: number; handle: string | null; created_at: string }[]
>`
  select l.post_id as id, a.handle, l.created_at
  from publishing.likes l join publishing.posts p on p.id = l.post_id join publishing.users a on a.id = p.author_id
  where l.user_id = ${userId} and l.post_id > ${after} order by l.post_id limit ${max}`

type Related = { id: number; handle: string }
type Follow = Related & { is_accepted: boolean; created_at: string }

export const listFollowing = (q: Sql, userId: number, { after, max }: Slice) => q<Follow[]>`
  select f.followee_id as id, u.handle, f.is_accepted, f.created_at
  from publishing.follows f join publishing.users u on u.id = f.followee_id
  where f.follower_id = ${userId} and f.followee_id > ${after} order by f.followee_id limit ${max}`

/** In the order of the index that the lists of followers have. */
export const listFollowers = (q: Sql, userId: number, { after, max }: Slice) => q<
  (Related & { user_id: number; created_at: string })[]
>`
  select f.id, f.follower_id as user_id, u.handle, f.created_at
  from publishing.follows f join publishing.users u on u.id = f.follower_id
  where f.followee_id = ${userId} and f.is_accepted and f.id > ${after} order by f.id limit ${max}`

export const listBlocked = (q: Sql, userId: number, { after, max }: Slice) => q<Related[]>`
  select b.blocked_id as id, u.handle from publishing.blocks b join publishing.users u on u.id = b.blocked_id
  where b.blocker_id = ${userId} and b.blocked_id > ${after} order by b.blocked_id limit ${max}`

export const listMuted = (q: Sql, userId: number, { after, max }: Slice) => q<Related[]>`
  select m.muted_id as id, u.handle from publishing.mutes m join publishing.users u on u.id = m.muted_id
  where m.muter_id = ${userId} and m.muted_id > ${after} order by m.muted_id limit ${max}`

/** All of them, as far as they are known: not the keys themselves, of which only hashes are kept. */
export const listKeys = (q: Sql, userId: number, { after, max }: Slice) => q<
  {
    id: number
    name: string
    key_prefix: string
    daily_post_limit: number
    created_at: string
    last_used_at: string | null
    revoked_at: string | null
  }[]
>`
  select id, name, key_prefix, daily_post_limit, created_at, last_used_at, revoked_at
  from publishing.api_keys where user_id = ${userId} and id > ${after} order by id limit ${max}`
