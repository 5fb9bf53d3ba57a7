import { unauthorized } from '#platform/errors.ts'
import { html, raw } from '#platform/web/html.ts'
import type { Publishing } from '../context.ts'
import { nameOf } from '../feeds/feed.ts'
import { plainText, titleOf, xmlDocument } from '../feeds/text.ts'
import { readPost } from '../posts/posts.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import { onlyText } from '../visible-text.ts'

type EmbedQuery = { url: string; maxwidth?: number; maxheight?: number }

const defaultWidth = 560
const profileHeight = 480
export const cacheSeconds = 300

const address = /^\/@([A-Za-z0-9_]{3,30})(?:\/([1-9]\d{0,15}))?\/?$/

/** The account, or the post, that one of our addresses leads to. */
const targetOf = (base: string, url: string) => {
  if (!URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  const [, handle, id] = (origin === new URL(base).origin && address.exec(pathname)) || []
  return handle === undefined ? null : { handle, id: id === undefined ? null : Number(id) }
}

const commonFields = (ctx: Publishing, account: { username: string; handle: string }) => ({
  version: '1.0' as const,
  type: 'rich' as const,
  provider_name: ctx.instance.current.name,
  provider_url: ctx.config.urls.publishing,
  author_name: nameOf(account),
  author_url: `${ctx.config.urls.publishing}/@${account.handle}`,
  cache_age: cacheSeconds,
})

const embedProfile = async (ctx: Publishing, handle: string, { maxwidth, maxheight }: EmbedQuery) => {
  const base = ctx.config.urls.publishing
  const account = await requireActiveUser(ctx, handle)
  // The specification asks for 401 where a resource is private.
  if (account.is_protected) unauthorized('This account is protected')
  const width = Math.min(maxwidth ?? defaultWidth, defaultWidth)
  const height = Math.min(maxheight ?? profileHeight, profileHeight)
  const title = `Posts by ${nameOf(account)}`
  const frame = html`<iframe src="${base}/widget/embed/${account.handle}" title="${title}" width="${width}" height="${height}" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" loading="lazy" referrerpolicy="no-referrer" frameborder="0"></iframe>`
  return { ...commonFields(ctx, account), title, html: String(frame), width, height }
}

/** About how high a quotation is in the fonts of an ordinary page; the format requires a number. */
const heightOf = (text: string, width: number) => {
  const perLine = Math.max(10, Math.floor((width - 80) / 9))
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil([...line].length / perLine)))
  return 110 + 24 * lines.reduce((sum, each) => sum + each, 0)
}

const embedPost = async (
  ctx: Publishing,
  handle: string,
  id: number,
  { maxwidth, maxheight }: EmbedQuery,
) => {
  const post = await readPost(ctx, null, id)
  if (post.author.handle.toLowerCase() !== handle.toLowerCase()) return null
  const shown = post.reposted_post ?? post
  const width = Math.min(maxwidth ?? defaultWidth, defaultWidth)
  const quotation = html`<blockquote class="trivet-post"><p>${raw(onlyText(shown.content_html))}</p><p>— ${nameOf(shown.author)}, <a href="${shown.url}">${shown.created_at.slice(0, 10)}</a></p></blockquote>`
  return {
    ...commonFields(ctx, post.author),
    title: titleOf(post),
    html: String(quotation),
    width,
    height: Math.min(maxheight ?? Number.POSITIVE_INFINITY, heightOf(plainText(shown), width)),
  }
}

export const embedOf = async (ctx: Publishing, query: EmbedQuery) => {
  const target = targetOf(ctx.config.urls.publishing, query.url)
  if (!target) return null
  const { handle, id } = target
  return id === null ? embedProfile(ctx, handle, query) : embedPost(ctx, handle, id, query)
}

/** Every field as an element of its name. */
export const asXml = (embed: Record<string, string | number | null>) =>
  xmlDocument(html`<oembed>
${Object.entries(embed).map(([name, value]) => html`<${raw(name)}>${value}</${raw(name)}>\n`)}</oembed>
`)
