import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'

const lines: { msg: string; service?: string; url?: string; traceId?: string }[] = []
const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
const system = await boot({ log: createLogger({ level: 'info', pretty: false, destination }) })
const linesOf = async (url: string, count: number) => {
  const found = () => lines.filter((line) => line.msg === 'request' && line.url === url)
  await until(`${count} log lines of ${url}`, () => found().length === count)
  return found()
}

for (const name of ['storage', 'publishing', 'inventory'] as const)
  test(`${name}: the log line of a request names the service`, async () => {
    await system[name](`GET /nowhere/${name}`)
    const [line] = await linesOf(`/nowhere/${name}`, 1)
    assert.equal(line?.service, name)
  })

test('the log line of a request names the trace that its client is following, if that is valid', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const { handle } = await publisher(system)
  const profile = `/api/users/${handle}`
  const sent = [`00-${trace}-00f067aa0ba902b7-01`, `00-${trace}-00f067aa0ba902b7-01`, 'no trace', undefined]
  for (const traceparent of sent)
    await system.publishing(`GET ${profile}`, { headers: traceparent ? { traceparent } : {} })
  const named = (await linesOf(profile, 4)).map(({ traceId }) => traceId)
  assert.deepEqual(named, [trace, trace, undefined, undefined])
})

test('publishing: the log line of a response from memory names the service', async () => {
  const { handle } = await publisher(system)
  const feed = `/api/users/${handle}/feed.rss`
  for (let n = 0; n < 3; n++) await system.publishing(`GET ${feed}`)
  for (const line of await linesOf(feed, 3)) assert.equal(line.service, 'publishing')
})
