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
