import type { Events } from '#events/events.ts'
import { Id, Named } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Author, Post } from '../posts/schema.ts'
import { Profile } from '../profiles/schema.ts'

const Like = Named('PostLike', {
  id: Id,
  like_count: Type.Integer({ description: 'After it' }),
  user: Author,
})
const Follower = Named('FollowOfAccount', { user: Author })

export const types: Events['types'] = {
  'post.created': { about: 'An account that you follow published or reposted something', data: Post },
  'post.updated': { about: 'An account that you follow edited a post', data: Post },
  'post.deleted': {
    about:
      'An account that you follow deleted a post or took a repost back; it is shown as it was. You also receive it for a ' +
      'repost of yours whose original was deleted',
    data: Post,
  },
  'post.liked': { about: 'Somebody liked a post of yours', data: Like },
  'post.unliked': { about: 'Somebody took a like of a post of yours back', data: Like },
  'post.mentioned': { about: 'Somebody mentioned you in a post, or by editing one', data: Post },
  'user.followed': { about: 'Somebody follows you, or you accepted their request to', data: Follower },
  'user.unfollowed': {
    about: 'Somebody no longer follows you, also because you blocked them',
    data: Follower,
  },
  'user.follow_requested': { about: 'Somebody asked to follow you', data: Follower },
  'user.updated': {
    about: 'An account that you follow changed its profile, or yours was verified or suspended, or no longer',
    data: Profile,
  },
  'user.deleted': { about: 'An account that you followed was deleted; it is shown as it was', data: Profile },
}

/** What everybody may read of public accounts, without credentials. */
export const publicTypes = ['post.created', 'post.updated', 'post.deleted']

/** Parameters of reading, besides those of every service. */
export const query = {
  scope: Type.Optional(
    Type.Literal('public', {
      description:
        'Instead of your own events those of all public accounts, for which no credentials are needed: ' +
        publicTypes.map((type) => `\`${type}\``).join(', '),
    }),
  ),
}
