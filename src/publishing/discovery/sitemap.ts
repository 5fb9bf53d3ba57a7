import { lru } from '#platform/cache/lru.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { singleFlightByKey } from '#platform/single-flight.ts'
import { html } from '#platform/web/html.ts'
import type { Publishing } from '../context.ts'
import { xmlDocument } from '../feeds/text.ts'
import { topics } from '../invalidation.ts'
import * as store from './store.ts'

/** The protocol allows 50,000 addresses in one file. */
const pageSize = 10_000
const maxAgeMs = 10 * 60_000
/** Each is about a megabyte. */
const maxKept = 10

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const indexOf = (base: string, ends: readonly number[]) =>
  xmlDocument(html`<sitemapindex xmlns="${namespace}">
${[0, ...ends].map((after) => html`<sitemap><loc>${base}/sitemap.xml?after=${after}</loc></sitemap>\n`)}</sitemapindex>
`)

const pageOf = (base: string, isFirst: boolean, accounts: readonly store.Listed[]) =>
  xmlDocument(html`<urlset xmlns="${namespace}">
${isFirst && html`<url><loc>${base}/</loc></url>\n`}${accounts.map(
  ({ handle, changed_at }) =>
    html`<url><loc>${base}/@${handle}</loc><lastmod>${changed_at}</lastmod></url>\n`,
)}</urlset>
`)

/** Rendered sitemaps, until an account is suspended, protected or changed in any other way. */
const cache = moduleState(({ signals }: Platform) => {
  const kept = lru<{ text: string; until: number }>(maxKept)
  const rendering = singleFlightByKey<string>()
  const forget = () => {
    rendering.forgetAll()
    kept.clear()
  }
  signals.on(topics.account, forget)
  signals.onGap(forget)
  return { kept, rendering }
})

/** All public profiles; an index of several such lists if there are many. */
const render = async ({ db, config }: Publishing, after?: number) => {
  const base = config.urls.publishing
  const ends = after === undefined ? await store.pageEnds(db.sql, pageSize) : []
  if (ends.length > 0) return indexOf(base, ends)
  return pageOf(base, !after, await store.listPublic(db.sql, after ?? 0, pageSize))
}

export const sitemap = async (ctx: Publishing, after?: number) => {
  const { kept, rendering } = cache(ctx)
  const key = String(after)
  const known = kept.get(key)
  if (known && known.until > performance.now()) return known.text
  return rendering.run(key, async (isForgotten) => {
    const text = await render(ctx, after)
    if (!isForgotten()) kept.set(key, { text, until: performance.now() + maxAgeMs })
    return text
  })
}
