import { type Html, html, raw } from '#platform/web/html.ts'
import { secureUrl } from '../feeds/feed.ts'
import { plainText, titleOf } from '../feeds/text.ts'
import type { Post } from '../posts/schema.ts'
import type { Profile } from '../profiles/schema.ts'

const jsonLd = (data: object): Html =>
  html`<script type="application/ld+json">${raw(JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c'))}</script>\n`

const counter = (action: string, n: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: n,
})

type Named = Pick<Profile, 'username' | 'handle' | 'avatar_url'>

const person = (base: string, { username, handle, avatar_url }: Named) => {
  const image = secureUrl(avatar_url)
  return {
    '@type': 'Person',
    name: username,
    alternateName: `@${handle}`,
    identifier: handle,
    url: `${base}/@${handle}`,
    ...(image ? { image } : {}),
  }
}

/** A profile for search engines, in the words of schema.org. */
export const profileData = (base: string, profile: Profile) =>
  jsonLd({
    '@type': 'ProfilePage',
    url: `${base}/@${profile.handle}`,
    dateCreated: profile.created_at,
    mainEntity: {
      ...person(base, profile),
      ...(profile.bio ? { description: profile.bio } : {}),
      ...(profile.website ? { sameAs: [profile.website] } : {}),
      interactionStatistic: [counter('FollowAction', profile.follower_count)],
      agentInteractionStatistic: [
        counter('FollowAction', profile.following_count),
        counter('WriteAction', profile.post_count),
      ],
    },
  })

/** A post for search engines. */
export const postData = (base: string, post: Post) => {
  const shown = post.reposted_post ?? post
  return jsonLd({
    '@type': 'SocialMediaPosting',
    '@id': shown.url,
    url: shown.url,
    mainEntityOfPage: shown.url,
    headline: titleOf(post),
    articleBody: plainText(shown),
    author: person(base, shown.author),
    datePublished: shown.created_at,
    ...(shown.edited_at ? { dateModified: shown.edited_at } : {}),
    ...(shown.hashtags.length > 0 ? { keywords: shown.hashtags } : {}),
    interactionStatistic: [
      counter('LikeAction', shown.like_count),
      counter('CommentAction', shown.reply_count),
      counter('ShareAction', shown.repost_count),
    ],
  })
}
