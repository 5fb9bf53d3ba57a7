import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('only counters have names that end in _total, and every metric has a description', async () => {
  const text = await createMetrics('test').text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  assert.ok(types.length > 20)
  for (const [, name, type] of types) {
    assert.equal(name!.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
})
