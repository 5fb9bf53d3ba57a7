import { type Html, html, raw } from '#platform/web/html.ts'
import { pictureAt } from '../picture-urls.ts'
import type { EmbeddedPost, Post } from '../posts/schema.ts'
import { onlyText } from '../visible-text.ts'
import { titleOf } from './text.ts'

/** A feed, independent of its format. */
export type Feed = {
  title: string
  description: string
  /** The page that shows the same posts, and the address of this feed. */
  home: string
  self: string
  /** The address of the posts before these, if there are any. */
  next: string | null
  /** The WebSub hub that is told when this feed changes. */
  hub: string | null
  icon: string | null
  /** Of the posts, as far as the instance knows it. */
  language: string
  /** For the feed of one account. */
  author: { name: string; url: string } | null
  updated: Date
  items: Item[]
}

export type Item = {
  url: string
  title: string
  html: string
  language: string
  author: { name: string; url: string; avatar: string | null }
  published: Date
  edited: Date | null
  tags: readonly string[]
}

/** The address of a picture that may be shown. Uploaded ones are as secure as our own pages. */
export const secureUrl = (url: string | null) =>
  url?.startsWith('https://') || (url && pictureAt(url)) ? url : null

export const nameOf = ({ username, handle }: { username: string; handle: string }) =>
  `${username} (@${handle})`

const profileUrl = (base: string, { handle }: { handle: string }) => `${base}/@${handle}`

// Some readers lose a line that follows a line break in the source.
const contentOf = ({ content_html }: EmbeddedPost) => raw(onlyText(content_html).replaceAll('<br>\n', '<br>'))

const quotation = (base: string, post: EmbeddedPost): Html =>
  html`<blockquote><p><a href="${profileUrl(base, post.author)}">${nameOf(post.author)}</a></p><p>${contentOf(post)}</p><p><a href="${post.url}">Read it there</a></p></blockquote>`

const bodyOf = (base: string, post: Post): string => {
  const { quoted_post: quoted, reposted_post: reposted } = post
  if (reposted) return String(quotation(base, reposted))
  return String(html`<p>${contentOf(post)}</p>${quoted && quotation(base, quoted)}`)
}

export const itemOf =
  (base: string) =>
  (post: Post): Item => ({
    url: post.url,
    title: titleOf(post),
    html: bodyOf(base, post),
    language: (post.reposted_post ?? post).language,
    author: {
      name: nameOf(post.author),
      url: profileUrl(base, post.author),
      avatar: secureUrl(post.author.avatar_url),
    },
    published: new Date(post.created_at),
    edited: post.edited_at === null ? null : new Date(post.edited_at),
    tags: post.hashtags,
  })

/** The requested path, with characters escaped that no URL may contain. */
export const legalPath = (path: string) =>
  path.replace(
    /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![\da-f]{2})/gi,
    (illegal) => `%${illegal.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** The path of another page of the same feed. */
export const nextUrl = (path: string, name: 'cursor' | 'page', value: string | number) => {
  const [own = '', query] = path.split('?')
  const params = new URLSearchParams(query)
  params.set(name, String(value))
  return `${legalPath(own)}?${params}`
}

/** When the latest of these posts, or of what they quote or repeat, was written or edited. */
export const newest = (posts: readonly Post[], floor: Date) =>
  posts
    .flatMap((post) => [post, post.quoted_post, post.reposted_post])
    .map((post) => (post ? new Date(post.edited_at ?? post.created_at) : floor))
    .reduce((a, b) => (a > b ? a : b), floor)
