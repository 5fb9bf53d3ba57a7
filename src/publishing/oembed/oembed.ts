import { html, raw } from '#platform/web/html.ts'
import { requirePostsOf } from '../audience.ts'
import type { Publishing } from '../context.ts'
import { nameOf } from '../feeds/feed.ts'
import { titleOf } from '../feeds/text.ts'
import { xmlDocument } from '../feeds/xml.ts'
import { readPost } from '../posts/posts.ts'
import { reachable } from '../profiles/profiles.ts'

type Asked = { url: string; maxwidth?: number; maxheight?: number }

const defaultWidth = 560
const profileHeight = 480

const address = /^\/@([A-Za-z0-9_]{3,30})(?:\/([1-9]\d{0,15}))?\/?$/

/** The account, and the post if it is one's, that an address of ours leads to. */
const targetOf = (base: string, url: string) => {
  if (!URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  const [, handle, id] = (origin === new URL(base).origin && address.exec(pathname)) || []
  return handle === undefined ? null : { handle, id: id === undefined ? null : Number(id) }
}

const answer = (base: string, person: { username: string; handle: string }) => ({
  version: '1.0' as const,
  type: 'rich' as const,
  provider_name: 'Trivet',
  provider_url: base,
  author_name: nameOf(person),
  author_url: `${base}/@${person.handle}`,
  cache_age: 300,
})

const embedProfile = async (ctx: Publishing, handle: string, { maxwidth, maxheight }: Asked) => {
  const base = ctx.config.urls.publishing
  const person = await reachable(ctx, handle)
  await requirePostsOf(ctx, null, person)
  const width = Math.min(maxwidth ?? defaultWidth, defaultWidth)
  const height = Math.min(maxheight ?? profileHeight, profileHeight)
  const title = `Posts by ${nameOf(person)}`
  const frame = html`<iframe src="${base}/widget/embed/${person.handle}" title="${title}" width="${width}" height="${height}" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" loading="lazy" referrerpolicy="no-referrer" frameborder="0"></iframe>`
  return { ...answer(base, person), title, html: String(frame), width, height }
}

const embedPost = async (ctx: Publishing, handle: string, id: number, { maxwidth }: Asked) => {
  const post = await readPost(ctx, null, id)
  if (post.author.handle.toLowerCase() !== handle.toLowerCase()) return null
  const shown = post.reposted_post ?? post
  const quotation = html`<blockquote class="trivet-post"><p>${raw(shown.content_html)}</p><p>— ${nameOf(shown.author)}, <a href="${shown.url}">${shown.created_at.slice(0, 10)}</a></p></blockquote>`
  return {
    ...answer(ctx.config.urls.publishing, post.author),
    title: titleOf(post),
    html: String(quotation),
    width: Math.min(maxwidth ?? defaultWidth, defaultWidth),
    height: null,
  }
}

export const embedOf = async (ctx: Publishing, asked: Asked) => {
  const target = targetOf(ctx.config.urls.publishing, asked.url)
  if (!target) return null
  const { handle, id } = target
  return id === null ? embedProfile(ctx, handle, asked) : embedPost(ctx, handle, id, asked)
}

/** Every field as an element of its name. */
export const asXml = (embed: Record<string, string | number | null>) =>
  xmlDocument(html`<oembed>
${Object.entries(embed).map(([name, value]) => html`<${raw(name)}>${value}</${raw(name)}>\n`)}</oembed>
`)
