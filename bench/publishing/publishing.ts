import { type OpenSql, openSql } from '#test/support/sql.ts'
import { bareServer } from '../bare.ts'
import { driverRate } from '../driver.ts'
import { load } from '../load.ts'
import { compare, type Measure, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'
import { exploreQuery, insertQuery, tagQuery, userQuery } from './limits.ts'
import { buildTown, commonPairs, followMany, liftDailyLimits, tag } from './town.ts'

type Session = { data: { user: { id: number }; accessToken: string } }
type NewKey = { data: { key: string } }

/** A million posts of 50,000 accounts. */
export const publishingWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const sql = await openSql(trivet.database)
  await buildTown(sql)
  yield* townWorkloads(trivet, sql)
  await sql.end()
}

const register = async (base: string, name: string) => {
  const { data } = (await call('POST', `${base}/auth/register`, {
    email: `${name}@example.com`, password: 'bench-bench', handle: name, username: name,
  })) as Session // biome-ignore format: one line
  return { id: data.user.id, headers: { authorization: `Bearer ${data.accessToken}` } }
}

const townWorkloads = async function* ({ urls, database }: Trivet, sql: OpenSql) {
  const base = `${urls.publishing}/api`
  const get =
    (...paths: string[]): Measure =>
    async (seconds) =>
      (await load({ url: base, variants: paths.map((path) => ({ url: base + path })), seconds })).perSecond
  const hot = Array.from({ length: 1000 }, (_, n) => 1 + ((n * 7919) % 50_000))

  const bare = await bareServer({ url: `${base}/posts/5` })
  const cached = (name: string, paths: string[]) =>
    compare({ name, limit: 'bare node:http', subject: get(...paths), against: bare.measure() })
  yield await cached('GET /posts/{id}', hot.map((id) => `/posts/${id}`)) // biome-ignore format: one line
  yield await cached('GET /users/{handle}', hot.map((id) => `/users/bench${id}`)) // biome-ignore format: one line
  bare.stop()

  const list = async (name: string, subject: Measure, query: string, parameters: unknown[] = []) => {
    const driver = await driverRate(database, query, parameters)
    const result = await compare({
      name, limit: 'the query through the driver', subject, against: driver.measure,
    }) // biome-ignore format: one line
    driver.stop()
    return result
  }
  const explore = get('/timeline/explore')
  yield await list('GET /timeline/explore', explore, exploreQuery)
  yield await list('GET /timeline/hashtag/{tag}', get(`/timeline/hashtag/${tag}`), tagQuery, [tag])
  const lists = hot.map((id) => `/users/bench${id}/posts`)
  yield await list('GET /users/{handle}/posts', get(...lists), userQuery, [hot[7]])

  const reader = await register(base, 'reader')
  await followMany(sql, reader.id)
  yield await compare({
    name: 'GET /timeline/home (1,000 follows)',
    limit: 'GET /timeline/explore',
    subject: async (seconds) =>
      (await load({ url: `${base}/timeline/home`, headers: reader.headers, seconds })).perSecond,
    against: explore,
  })

  const keys: string[] = []
  for (let n = 0; n < 32; n++) {
    const { headers } = await register(base, `writer${n}`)
    keys.push(((await call('POST', `${base}/developer/keys`, { name: 'bench' }, headers)) as NewKey).data.key)
  }
  await liftDailyLimits(sql)
  const content = 'a post of ordinary length with some fifteen words in it, as people write them every day'
  const post: Measure = async (seconds) => {
    const variants = keys.map((key) => ({ headers: { 'x-api-key': key } }))
    const body = JSON.stringify({ content })
    return (await load({ url: `${base}/posts`, method: 'POST', body, variants, seconds })).perSecond
  }
  yield await list('POST /posts with a key', post, insertQuery, [hot[7], content])

  let slowest = 0
  const search = async (queries: string[], seconds: number) => {
    const variants = queries.map((q) => ({ url: `${base}/search?q=${encodeURIComponent(q)}` }))
    const rate = await load({ url: base, variants, connections: 1, seconds })
    slowest = Math.max(slowest, rate.slowest)
    return rate
  }
  const perSecond = (ms: number) => 1000 / ms
  const coldPosts = () =>
    Array.from({ length: 4000 }, () => ({
      url: `${base}/posts/${1 + Math.floor(Math.random() * 1_000_000)}`,
    }))
  yield await compare({
    name: 'search, two common words: 95 of 100',
    limit: 'GET /posts/{id} by primary key',
    subject: async (seconds) => perSecond((await search(commonPairs, seconds)).p95),
    against: async (seconds) =>
      perSecond((await load({ url: base, variants: coldPosts(), connections: 1, seconds })).median),
  })
  const words = commonPairs.flatMap((pair) => pair.split(' '))
  yield await compare({
    name: 'search, the slowest of all',
    limit: '200 ms',
    subject: async (seconds) => {
      await search([...words, 'e', 'et', 'zzq', 'xq', 'z', 'ing', '日本', tag], seconds)
      return perSecond(slowest)
    },
    against: async () => perSecond(200),
  })
}
