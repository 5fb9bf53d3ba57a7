import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import { connected } from '#test/support/channels.ts'
import { createLimiter } from './limits.ts'
import { countHits } from './primary.ts'

test('a limit that the primary process counts is exact over two workers', async () => {
  const join = countHits()
  const limiters = [connected(), connected()].map(({ ends: [worker, primary] }) => {
    join(primary)
    return createLimiter({ clock: systemClock, primary: worker, enabled: true, log: console })
  })
  const limit = { name: 'shared', max: 50, windowSeconds: 60 }
  const verdicts = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => limiters[n % 2]?.hit(limit, 'ann', 2)),
  )
  assert.equal(verdicts.filter((verdict) => verdict?.allowed).length, 25)
})
