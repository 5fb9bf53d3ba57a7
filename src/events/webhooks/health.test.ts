import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHealth, type Verdict } from './health.ts'

const start = Date.parse('2026-11-15T12:00:00Z')
const since = new Date(start).toISOString()

const receiver = () => {
  let now = start
  const health = createHealth(() => new Date(now))
  return {
    health,
    at(seconds: number) {
      now = start + seconds * 1000
    },
    record: (verdict: Verdict, times = 1) => {
      for (let n = 0; n < times; n++) health.record(verdict)
    },
  }
}

test('a receiver is down after eight failures in a row, and well after one success', () => {
  const { health, record } = receiver()
  assert.equal(health.pace, 'swift')
  record('failed', 7)
  assert.deepEqual([health.pace, health.pauseMs(since)], ['slow', 0])
  record('succeeded')
  assert.equal(health.pace, 'swift')
  record('failed', 8)
  assert.equal(health.pace, 'down')
  record('unknown')
  assert.equal(health.pace, 'down', 'nothing was attempted')
  record('slow')
  assert.deepEqual([health.pace, health.pauseMs(since)], ['slow', 0])
  record('succeeded')
  assert.equal(health.pace, 'swift')
})

test('the pauses between attempts at a receiver that is down grow from 250 ms to 5 s', () => {
  const { health, record, at } = receiver()
  record('failed', 8)
  assert.equal(health.pauseMs(null), 250)
  assert.equal(health.pauseMs(since), 250)
  at(0.25)
  assert.equal(health.pauseMs(since), 0, 'the pause is over')
  for (const [seconds, pauseMs] of [
    [60, 1_000],
    [300, 5_000],
    [86_400, 5_000],
  ] as const) {
    at(seconds)
    record('failed')
    assert.equal(health.pauseMs(since), pauseMs)
  }
})
