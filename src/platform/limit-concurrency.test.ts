import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limitConcurrency } from './limit-concurrency.ts'

/** Work that ends when it is told to. */
const pieces = () => {
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<number>>()
  const piece = (n: number) => () => {
    begun.push(n)
    const end = Promise.withResolvers<number>()
    ends.set(n, end)
    return end.promise
  }
  return {
    begun,
    piece,
    end: (n: number) => ends.get(n)!.resolve(n),
    fail: (n: number) => ends.get(n)!.reject(new Error(`${n}`)),
  }
}

test('no more than so many run at once, and the others begin in the order in which they came, also after a failure', async () => {
  const limited = limitConcurrency(2)
  const { begun, piece, end, fail } = pieces()
  const results = [1, 2, 3, 4].map((n) => limited(piece(n)))
  const settled = Promise.allSettled(results)
  await nextTurn()
  assert.deepEqual(begun, [1, 2])
  fail(2)
  await assert.rejects(results[1]!, /^Error: 2$/)
  await nextTurn()
  assert.deepEqual(begun, [1, 2, 3])
  end(1)
  await nextTurn()
  assert.deepEqual(begun, [1, 2, 3, 4])
  end(3)
  end(4)
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  const last = limited(piece(5))
  await nextTurn()
  end(5)
  assert.equal(await last, 5)
})

test('what would wait behind too many is refused with 503, and takes no place', async () => {
  const limited = limitConcurrency(1, { mostWaiting: 1, refusal: 'Too many' })
  const { begun, piece, end } = pieces()
  const [first, second] = [limited(piece(1)), limited(piece(2))]
  await assert.rejects(limited(piece(3)), { status: 503, message: 'Too many' })
  end(1)
  assert.equal(await first, 1)
  await nextTurn()
  end(2)
  assert.equal(await second, 2)
  const another = limited(piece(4))
  await nextTurn()
  end(4)
  assert.equal(await another, 4)
  assert.deepEqual(begun, [1, 2, 4])
})
