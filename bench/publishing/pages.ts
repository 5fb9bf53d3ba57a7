import { bareServer } from '../bare.ts'
import { load } from '../load.ts'
import { compare, type Measure, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'

/** What readers elsewhere fetch again and again: feeds and widgets, kept until they change. */
export const pagesWorkloads = async function* ({ urls }: Trivet): AsyncGenerator<Result> {
  const base = urls.publishing
  const account = {
    email: 'bench@example.com',
    password: 'bench-bench',
    handle: 'bench_pages',
    username: 'Bench',
  }
  const { data } = (await call('POST', `${base}/api/auth/register`, account)) as {
    data: { accessToken: string }
  }
  const authorization = `Bearer ${data.accessToken}`
  for (let n = 0; n < 20; n++)
    await call(
      'POST',
      `${base}/api/posts`,
      { content: `Post ${n} of ordinary length, with a #tag and some words` },
      { authorization },
    )

  const subject =
    (url: string, headers: Record<string, string> = {}): Measure =>
    async (seconds) =>
      (await load({ url, headers, seconds })).perSecond
  const feed = `${base}/api/users/bench_pages/feed.rss`
  const embed = `${base}/widget/embed/bench_pages`
  const etag = (await fetch(feed)).headers.get('etag') as string
  const known = { 'if-none-match': etag }

  for (const [name, url, headers] of [
    ['GET feed.rss (20 items)', feed, {}],
    ['GET feed.rss, 304', feed, known],
    ['GET /widget/embed (5 posts)', embed, {}],
  ] as const) {
    const limit = await bareServer({ url })
    yield await compare({
      name,
      limit: 'bare node:http, the same',
      subject: subject(url, headers),
      against: limit.measure(headers),
    })
    limit.stop()
  }
}
