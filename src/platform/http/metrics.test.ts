import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOpenMetrics, createMetrics } from './metrics.ts'

test('only counters have names that end in _total, and every metric has a description', async () => {
  const text = await createMetrics('test').text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  assert.ok(types.length > 20)
  for (const [, name, type] of types) {
    assert.equal(name!.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
})

test('as OpenMetrics, counters are named without _total, and the text says where it ends', async () => {
  const text = asOpenMetrics(await createMetrics('test').text())
  assert.match(
    text,
    /^# TYPE trivet_http_overload_refusals counter\n(?:.*\n)?trivet_http_overload_refusals_total\{/m,
  )
  assert.match(text, /^# HELP trivet_http_overload_refusals \S/m)
  assert.doesNotMatch(text, /\n\n/)
  assert.ok(text.endsWith('\n# EOF\n'))
})
