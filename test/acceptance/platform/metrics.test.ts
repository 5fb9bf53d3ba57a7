import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'

const system = await boot({ env: { RATE_LIMITS: 'on' } })

test('the metrics count refusals by limit, and show the load of the database and of the blobs', async () => {
  const login = { email: 'nobody@example.com', password: 'wrong password' }
  for (let n = 0; n < 12; n++)
    await system.inventory('POST /api/auth/login', { body: { ...login, email: `n${n}@example.com` } })
  await sleep(150)
  const { text } = await system.inventory('GET /metrics')
  assert.match(
    text,
    /^trivet_rate_limit_refusals_total\{(?=.*limit="inventory\.sign-in")(?=.*service="inventory").*\} 2$/m,
  )
  assert.match(text, /^trivet_database_available\{service="inventory"\} 1$/m)
  for (const name of [
    'statements_in_flight',
    'long_statements',
    'transactions',
    'statements_waiting',
    'transactions_waiting',
  ])
    assert.match(text, new RegExp(`^trivet_database_${name}\\{service="inventory"\\} \\d+$`, 'm'))
  const storage = (await system.storage('GET /metrics')).text
  assert.doesNotMatch(storage, /inventory\.sign-in/)
  assert.match(storage, /^trivet_storage_cached_blob_bytes\{service="storage"\} \d+$/m)
})

test('the metrics are OpenMetrics for a client that asks for it', async () => {
  const accept = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3'
  const { headers, text } = await system.storage('GET /metrics', { headers: { accept } })
  assert.match(headers.get('content-type') ?? '', /^application\/openmetrics-text; version=1\.0\.0/)
  assert.match(text, /^# TYPE trivet_http_request_seconds histogram$/m)
  assert.ok(text.endsWith('\n# EOF\n'))
  assert.match((await system.storage('GET /metrics')).headers.get('content-type') ?? '', /^text\/plain/)
})
