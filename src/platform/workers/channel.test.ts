import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connected } from '#test/support/channels.ts'

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
