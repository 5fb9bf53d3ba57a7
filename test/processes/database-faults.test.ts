import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { faults } from '#test/faults/faults.ts'
import { randomFrom } from '#test/faults/random.ts'
import { hasFailed, roundText } from '#test/faults/report.ts'
import { runRound } from '#test/faults/round.ts'
import { openTopology } from '#test/faults/topology.ts'

/** The short form of the campaign in test/faults, on the embedded database. */
const topology = await openTopology('embedded', 1)
after(() => topology.close())
const random = randomFrom(1)
const pid = () => topology.nodes[0]!.process.pid

for (const [n, name] of [
  'postmaster killed',
  'stopped, fast',
  'all backends terminated',
  'some backends terminated',
  'stopped, fast',
  'postmaster killed',
].entries())
  test(`fault ${n + 1}, database ${name}, under load: the server keeps running, nothing acknowledged is lost or doubled`, {
    timeout: 180_000,
  }, async () => {
    const before = pid()
    const fault = faults.find((fault) => fault.name === name)!
    const { round } = await runRound(topology, fault, random)
    assert.ok(!hasFailed(round), roundText(round))
    assert.ok(round.acknowledged > 0)
    assert.equal(pid(), before)
  })

test('verify finds nothing wrong after all database faults', async () => {
  assert.equal(await topology.verify(), null)
})
