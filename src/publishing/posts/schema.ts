import { Id, Named, Nullable, OneOf, Pattern, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const types = ['post', 'repost', 'quote', 'reply'] as const
export type PostType = (typeof types)[number]
export const PostType = OneOf([...types])

const replySettings = ['everyone', 'following', 'mentioned'] as const
export type ReplySettings = (typeof replySettings)[number]

/** Who may see a post: everybody, the followers of a protected account, or nobody (suspended or deleted). */
export type Audience = 'public' | 'followers' | 'nobody'

export const Author = Named('Author', {
  id: Id,
  username: Type.String(),
  handle: Type.String(),
  avatar_url: Nullable(Type.String()),
  is_verified: Type.Boolean(),
})
export type Author = Type.Static<typeof Author>

const fields = {
  id: Id,
  content: Type.String({ description: 'Markdown, up to 280 characters' }),
  content_html: Type.String({ description: 'Safe to show as it is' }),
  language: Type.String({ description: 'In which its author writes, as in `pt-BR`' }),
  type: PostType,
  url: Type.String(),
  author: Author,
  parent_id: Nullable(Id),
  root_id: Nullable(Id),
  quote_of_id: Nullable(Id),
  repost_of_id: Nullable(Id),
  reply_settings: OneOf([...replySettings], {
    description: 'Who may reply; of a reply, what its thread says counts',
  }),
  like_count: Type.Integer(),
  repost_count: Type.Integer(),
  quote_count: Type.Integer(),
  reply_count: Type.Integer(),
  hashtags: Type.Array(Type.String(), { description: 'Lower case, without #' }),
  mentions: Type.Array(Type.String(), { description: 'Handles of existing accounts' }),
  created_at: Time,
  edited_at: Nullable(Time),
}

export const EmbeddedPost = Named('EmbeddedPost', fields)
export type EmbeddedPost = Type.Static<typeof EmbeddedPost>

export const Post = Named('Post', {
  ...fields,
  quoted_post: Nullable(EmbeddedPost),
  reposted_post: Nullable(EmbeddedPost),
  viewer: Type.Optional(
    Type.Object(
      { liked: Type.Boolean(), reposted: Type.Boolean() },
      { description: 'Only with a bearer token' },
    ),
  ),
})
export type Post = Type.Static<typeof Post>

export const Posts = Type.Object({ posts: Type.Array(Post) })

export const NewPost = Named('NewPost', {
  content: Type.String({
    description: 'Up to 280 characters; Markdown, hashtags and mentions allowed',
    examples: ['Low tide at **noon** #tides'],
  }),
  type: Type.Optional(OneOf(['post', 'reply', 'quote'], { default: 'post' })),
  parentId: Type.Optional(Nullable(Id)),
  quoteOfId: Type.Optional(Nullable(Id)),
  replySettings: Type.Optional(OneOf([...replySettings], { default: 'everyone' })),
})
export type NewPost = Type.Static<typeof NewPost>

export const PostChange = Named('PostChange', { content: Type.String() })

export const History = Type.Object({
  history: Type.Array(Named('PostVersion', { content: Type.String(), created_at: Time })),
})

/** A path parameter. */
export const Tag = Type.Object({
  tag: Type.String({ minLength: 1, ...Pattern('^[^\\u0000]+$', 'must not contain NUL characters') }),
})

export const Deleted = Type.Object({ id: Id, deleted: Type.Boolean() })
