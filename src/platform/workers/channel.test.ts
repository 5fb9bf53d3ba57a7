import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connected } from '#test/support/channels.ts'
import type { Channel } from './channel.ts'
import { relaySignals, relayTo } from './signals.ts'

test('all messages of one turn of the event loop are sent as one', async () => {
  const { ends, sent } = connected()
  const [asking, answering] = ends
  answering.on('double', (n: number) => 2 * n)
  const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => asking.ask<number>('double', n)))
  assert.deepEqual(
    replies,
    Array.from({ length: 100 }, (_, n) => 2 * n),
  )
  assert.equal(sent.count, 2)
})

test('a reply may come later, and is null before there is a handler', async () => {
  const [asking, answering] = connected().ends
  assert.equal(await asking.ask('later', 1), null)
  answering.on('later', async (n: number) => n + 1)
  assert.equal(await asking.ask('later', 1), 2)
})

test('questions to a process that has ended are rejected, those already asked and those to come', async () => {
  const { ends, sent } = connected()
  const [asking] = ends
  sent.isBroken = true
  await assert.rejects(asking.ask('anything', 1), /has ended/)
  await assert.rejects(asking.ask('anything', 1), /has ended/)
})

const workersWithSignals = (count: number) => {
  const received: string[][] = []
  const pairs = Array.from({ length: count }, () => connected().ends)
  const join = relaySignals(() => pairs.map(([, primary]) => primary))
  const relays = pairs.map(([worker, primary], n) => {
    join(primary)
    received.push([])
    return relayTo(worker, (payload) => void received[n]?.push(payload))
  })
  return { relays, received, workers: pairs.map(([worker]) => worker) }
}

test('signals are settled once all other workers have handled them', async () => {
  const { relays, received } = workersWithSignals(3)
  assert.equal(relays[0]?.settled(), undefined)
  relays[0]?.pass('topic a')
  relays[0]?.pass('topic b')
  await relays[0]?.settled()
  assert.deepEqual(received, [[], ['topic a', 'topic b'], ['topic a', 'topic b']])
  assert.equal(relays[0]?.settled(), undefined)
})

test('a worker that does not respond delays others once, and is waited for again when it responds', async () => {
  const { relays, received, workers } = workersWithSignals(2)
  const frozen = Promise.withResolvers<void>()
  ;(workers[1] as Channel).on('signals', () => frozen.promise)
  const pass = async (payload: string) => {
    const started = performance.now()
    relays[0]?.pass(payload)
    await relays[0]?.settled()
    return performance.now() - started
  }
  assert.ok((await pass('first')) >= 240)
  assert.ok((await pass('second')) < 200)
  frozen.resolve()
  await new Promise((resolve) => setTimeout(resolve, 20))
  ;(workers[1] as Channel).on('signals', (payloads: string[]) => void received[1]?.push(...payloads))
  await pass('third')
  assert.deepEqual(received[1], ['third'])
})
