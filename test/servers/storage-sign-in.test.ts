import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { startRedis } from '#test/support/redis.ts'

const redis = await startRedis()
after(() => redis.stop())
const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1', REDIS_URL: redis.url }
const first = await boot({ env })
const second = await boot({ env, database: { url: first.databaseUrl } })

let address = 0
const from = (ip: string, node: typeof first) =>
  node.storage.with({ 'x-forwarded-for': ip, 'x-forwarded-proto': 'https' })
/** Requests to both nodes in turn. */
const spread = <T>(count: number, call: (node: typeof first, n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n % 2 ? first : second, n)))
const counts = (answers: { status: number }[], ...statuses: number[]) =>
  statuses.map((status) => answers.filter((answer) => answer.status === status).length)

test('storage sign-in: the limit of ten a minute per address counts all nodes together', async () => {
  const answers = await spread(24, (node, n) =>
    from('203.0.113.1', node)('POST /auth/forgot-password', { body: { email: `nobody-${n}@example.com` } }),
  )
  assert.deepEqual(counts(answers, 200, 429), [10, 14])
})

test('storage sign-in: the limit of five failures per account counts all nodes together', async () => {
  const { email } = await storageOwner({ storage: from('203.0.113.2', first) })
  const logIn = (node: typeof first, secret: string) =>
    from(`10.0.0.${++address}`, node)('POST /auth/login', { body: { email, password: secret } })
  const answers = await spread(12, (node) => logIn(node, 'wrong horse'))
  assert.deepEqual(counts(answers, 401, 429), [5, 7])
  assert.deepEqual(counts(await spread(2, (node) => logIn(node, password)), 429), [2])
})
