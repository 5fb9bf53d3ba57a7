import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { debianProgram } from '#test/support/debian.ts'

const system = await boot()

const checkMetrics = async (metrics: string) => {
  const child = spawn(await debianProgram('promtool', 'prometheus'), ['check', 'metrics'])
  const [output, errors, exited] = [text(child.stdout), text(child.stderr), once(child, 'exit')]
  child.stdin.end(metrics)
  return { code: (await exited)[0], said: (await output) + (await errors) }
}

for (const name of ['storage', 'publishing', 'inventory'] as const)
  test(`${name}: promtool finds nothing to say about the metrics`, { timeout: 330_000 }, async () => {
    await system[name]('GET /nowhere')
    const { text: metrics } = await system[name]('GET /metrics')
    assert.deepEqual(await checkMetrics(metrics), { code: 0, said: '' })
  })

test('promtool reports a gauge with the name of a counter', { timeout: 330_000 }, async () => {
  const { code, said } = await checkMetrics('# HELP a_total x\n# TYPE a_total gauge\na_total 1\n')
  assert.equal(code, 3)
  assert.match(said, /a_total/)
})
