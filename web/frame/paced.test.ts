import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paced } from './paced.ts'

test('a thousand questions are two runs: one soon, one after the pause', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  let runs = 0
  const { ask } = paced(() => runs++)
  for (let n = 0; n < 1000; n++) {
    ask()
    t.mock.timers.tick(1)
  }
  assert.equal(runs, 1)
  t.mock.timers.tick(2_000)
  assert.equal(runs, 2)
  t.mock.timers.tick(10_000)
  assert.equal(runs, 2)
})

test('while questions keep coming, the pauses grow to three seconds, and begin anew after a silence', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const times: number[] = []
  const { ask } = paced(() => times.push(Date.now()))
  const askFor = (ms: number) => {
    for (let n = 0; n < ms / 10; n++) {
      ask()
      t.mock.timers.tick(10)
    }
  }
  askFor(15_000)
  const pauses = times.slice(1).map((time, n) => Math.round((time - times[n]!) / 100) * 100)
  assert.deepEqual(pauses, [1_000, 2_000, 3_000, 3_000, 3_000])
  for (let n = 0; n < 10; n++) t.mock.timers.tick(1_000)
  times.length = 0
  askFor(1_200)
  assert.equal(times.length, 2)
})
