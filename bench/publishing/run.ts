import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { hashApiKey } from '#platform/auth/api-keys.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { openCluster } from '#platform/db/embedded/cluster.ts'
import { createLogger } from '#platform/log.ts'
import { publishing as service } from '#publishing/app.ts'
import { startSystem } from '#src/system.ts'
import { build, commonPairs, size, tag } from './town.ts'

/** node bench/publishing/run.ts: every bar of the publishing service, each against a limit of the same run. */
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const connections = 16

const dataDir = process.env.BENCH_DATA ?? (await mkdtemp(join(tmpdir(), 'trivet-bench-')))
const log = createLogger({ level: 'warn', pretty: true })
const cluster = await openCluster({ dataDir, purpose: 'operator', log })
const { host, port, user, database } = cluster.connection
const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
const env = {
  TRIVET_DATA: dataDir,
  TRIVET_SECRET: 'a secret for benches',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
}
const ports = { STORAGE_PORT: '0', PUBLISHING_PORT: '0', INVENTORY_PORT: '0', TRIVET_SERVICES: 'publishing' }
const config = readConfig({ ...env, ...ports, DATABASE_URL: url }, dataDir)
const system = await startSystem({ config, clock: systemClock, log })
const direct = postgres({ ...cluster.connection, max: 1, onnotice: () => {} } as never)
const [{ count }] = (await direct`select count(*)::int from publishing.posts`) as unknown as [
  { count: number },
]
if (count < size.posts) {
  const started = Date.now()
  await build(direct)
  console.log(
    `built ${size.posts} posts of ${size.accounts} accounts in ${Math.round((Date.now() - started) / 1000)} s`,
  )
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })
type Call = { path: string; method?: string; headers?: Record<string, string>; body?: string }
const send = (base: string, { path, method = 'GET', headers = {}, body }: Call) =>
  new Promise<number>((resolve, reject) => {
    const length =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const req = request(base + path, { agent, method, headers: { ...headers, ...length } }, (res) => {
      res.resume()
      res.on('end', () =>
        res.statusCode! < 300 ? resolve(res.statusCode!) : reject(new Error(`${path}: ${res.statusCode}`)),
      )
    })
    req.on('error', reject)
    req.end(body)
  })

/** How many of `work` are done in a second by `width` who repeat it. */
const rate = async (work: (n: number) => Promise<unknown>, width = connections) => {
  let n = 0
  const until = async (end: number) => {
    while (performance.now() < end) await work(n++)
  }
  const run = async (s: number) => {
    n = 0
    const started = performance.now()
    await Promise.all(Array.from({ length: width }, () => until(started + s * 1000)))
    return n / ((performance.now() - started) / 1000)
  }
  await run(1)
  return run(seconds)
}
const report = (name: string, ours: number, limit: number, bar: number) => {
  const ratio = ours / limit
  console.log(
    `${ratio >= bar ? 'ok  ' : 'MISS'} ${name.padEnd(34)} ${ours.toFixed(0).padStart(7)}/s of ${limit.toFixed(0).padStart(7)}/s = ${ratio.toFixed(2)} (bar ${bar})`,
  )
}

const base = system.urls.publishing
const sample = await (await fetch(`${base}/api/posts/5`)).text()
const bare = createServer((_, res) => {
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(JSON.parse(sample)))
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
const { sql } = system.platform.db
const ctx = service.context(system.platform)
const token = await ctx.tokens.issue({ sub: '1', epoch: 1 })
const hot = (n: number) => 1 + ((n * 7919) % 1000)

const bareRate = await rate(() => send(bareUrl, { path: '/' }))
report('GET /api/posts/{id}', await rate((n) => send(base, { path: `/api/posts/${hot(n)}` })), bareRate, 0.6)
report(
  'GET /api/users/{handle}',
  await rate((n) => send(base, { path: `/api/users/bench${hot(n)}` })),
  bareRate,
  0.6,
)

const columns = sql`p.id, p.content, p.content_html, p.type, p.like_count, p.created_at, u.id as author, u.username, u.handle`
const driverExplore = await rate(
  () => sql`select ${columns} from publishing.posts p join publishing.users u on u.id = p.author_id
    where p.audience = 'public' and p.type <> 'repost' order by p.id desc limit 21`,
)
const explore = await rate(() => send(base, { path: '/api/timeline/explore' }))
report('GET /api/timeline/explore', explore, driverExplore, 0.4)
const driverTag = await rate(
  () => sql`select ${columns} from publishing.post_tags t join publishing.posts p on p.id = t.post_id
    join publishing.users u on u.id = p.author_id where t.tag = ${tag} order by t.post_id desc limit 21`,
)
report(
  'GET /api/timeline/hashtag/{tag}',
  await rate(() => send(base, { path: `/api/timeline/hashtag/${tag}` })),
  driverTag,
  0.4,
)
const driverUser = await rate(
  (n) => sql`select ${columns} from publishing.posts p join publishing.users u on u.id = p.author_id
    where p.author_id = ${hot(n)} and p.deleted_at is null order by p.id desc limit 20`,
)
report(
  'GET /api/users/{handle}/posts',
  await rate((n) => send(base, { path: `/api/users/bench${hot(n)}/posts` })),
  driverUser,
  0.4,
)
const authorization = `Bearer ${token}`
report(
  'GET /api/timeline/home (1000 follows)',
  await rate(() => send(base, { path: '/api/timeline/home', headers: { authorization } })),
  explore,
  0.5,
)

// The very row that a post is, with its indexes.
const driverInsert = await rate(
  (n) => sql`insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
    values (${100 + (n % 16)}, 'post', ${`an inserted row of ordinary length number ${n} with words in it`},
      ${`an inserted row of ordinary length number ${n} with words in it`}, 'public', now()) returning id`,
)
const keys = await Promise.all(
  Array.from({ length: 16 }, async (_, n) => {
    const key = `f9k_bench${n}`
    await direct`insert into publishing.api_keys (user_id, name, key_prefix, hash, daily_post_limit, posts_day, created_at)
      values (${100 + n}, 'bench', 'f9k_bench', ${hashApiKey(key)}, 1000, '2000-01-01', now()) on conflict do nothing`
    return key
  }),
)
await direct`alter table publishing.api_keys drop constraint if exists api_keys_daily_post_limit_check`
await direct`update publishing.api_keys set daily_post_limit = 100000000, posts_today = 0 where name = 'bench'`
report(
  'POST /api/posts with a key',
  await rate((n) =>
    send(base, {
      path: '/api/posts',
      method: 'POST',
      headers: { 'x-api-key': keys[n % 16]! },
      body: JSON.stringify({ content: `a post of ordinary length number ${n} with some words in it` }),
    }),
  ),
  driverInsert,
  0.4,
)

const timed = async (count: number, work: (n: number) => Promise<unknown>) => {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const started = performance.now()
    await work(n)
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)
}
await timed(100, (n) => send(base, { path: `/api/posts/${300_000 + n}` }))
const cold = await timed(200, (n) => send(base, { path: `/api/posts/${500_000 + n * 31}` }))
const median = cold[100]!
const found = await timed(200, (n) =>
  send(base, { path: `/api/search?q=${encodeURIComponent(commonPairs[n % 50]!)}` }),
)
const single = await timed(60, (n) =>
  send(base, { path: `/api/search?q=${commonPairs[n % 50]!.split(' ')[n % 2]}` }),
)
const odd = await timed(8, (n) =>
  send(base, {
    path: `/api/search?q=${encodeURIComponent(['e', 'et', 'zzq', 'xq', 'z', 'ing', '日本', 'tag5'][n]!)}`,
  }),
)
const show = (times: number[]) => times.map((t) => t.toFixed(1)).join(' ')
console.log(
  `${found[189]! <= 5 * median ? 'ok  ' : 'MISS'} search: 95 of 100 within ${found[189]!.toFixed(1)} ms, slowest ${found.at(-1)!.toFixed(1)} ms; a primary-key read takes ${median.toFixed(2)} ms (bar 5 times)`,
)
console.log(`     one word: slowest ${single.at(-1)!.toFixed(1)} ms; odd ones ${show(odd)} ms (bar 200 ms)`)

bare.close()
agent.destroy()
await direct.end()
await system.close()
await cluster.close()
if (!process.env.BENCH_DATA) await rm(dataDir, { recursive: true, force: true })
