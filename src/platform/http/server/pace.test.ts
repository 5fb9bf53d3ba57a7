import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wakingTime } from './pace.ts'

const everySecond = () => {
  let real = 5_000
  const pass = (ms: number) => {
    real += ms
  }
  return { time: wakingTime(1_000, () => real), pass }
}

test('waking time passes like real time while it is ticked, even if somewhat late', () => {
  const { time, pass } = everySecond()
  const begun = time.now()
  for (const ms of [1_000, 2_000, 500]) {
    pass(ms)
    time.tick()
  }
  pass(700)
  assert.equal(time.now() - begun, 4_200)
})

test('of a stall, waking time counts twice the interval and no more, whether a tick or something else notices it', () => {
  for (const notices of ['now', 'tick'] as const) {
    const { time, pass } = everySecond()
    const begun = time.now()
    pass(60_000)
    assert.equal(time[notices]() - begun, 2_000)
    assert.equal(time.tick() - begun, 2_000)
    pass(1_000)
    assert.equal(time.tick() - begun, 3_000)
  }
})
