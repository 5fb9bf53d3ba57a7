import type { Readable } from 'node:stream'
import { Id, Named, Nullable, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { OwnProfile } from '../accounts/schema.ts'
import { Key } from '../keys/schema.ts'
import { Post } from '../posts/schema.ts'

const { properties: post } = Post

const Related = Type.Object({ id: Id, handle: Type.String() })

const Export = Named('Export', {
  exported_at: Time,
  profile: OwnProfile,
  posts: Type.Array(
    Named('ExportedPost', {
      ...Type.Pick(Post, [
        'id', 'type', 'content', 'parent_id', 'quote_of_id', 'repost_of_id', 'reply_settings', 'like_count',
        'repost_count', 'quote_count', 'reply_count', 'created_at', 'edited_at',
      ]).properties, // biome-ignore format: one list
      versions: Type.Array(Type.Object({ content: post.content, created_at: Time }), {
        description: 'The earlier texts, oldest first',
      }),
    }),
    { description: 'Reposts, replies and quotes among them; those that were deleted are gone' },
  ),
  likes: Type.Array(
    Type.Object({
      id: Type.Integer({ ...Id, description: 'Of the post' }),
      handle: Nullable(Type.String({ description: 'Of its author' })),
      created_at: Time,
    }),
  ),
  following: Type.Array(
    Type.Object({ ...Related.properties, is_accepted: Type.Boolean(), created_at: Time }),
  ),
  followers: Type.Array(Type.Object({ ...Related.properties, created_at: Time })),
  blocked: Type.Array(Related),
  muted: Type.Array(Related),
  keys: Type.Array(
    Type.Object({
      ...Type.Pick(Key, ['id', 'name', 'key_prefix', 'daily_post_limit', 'created_at', 'last_used_at'])
        .properties,
      revoked_at: Nullable(Time),
    }),
  ),
})

/** A document to download. */
export const exported = {
  description: 'Everything that the account has here',
  content: { 'application/json': { schema: Type.Unsafe<Readable>(Export) } },
}
