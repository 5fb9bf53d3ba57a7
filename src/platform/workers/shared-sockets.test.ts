import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connected } from '#test/support/channels.ts'
import { arrangeMeetings, shareSockets } from './shared-sockets.ts'

const crewOf = (count: number) => {
  const pairs = Array.from({ length: count }, () => connected().ends)
  let present = pairs.map(([, inPrimary]) => inPrimary)
  const meetings = arrangeMeetings(() => present)
  const workers = pairs.map(([primary, inPrimary], index) => {
    meetings.join(inPrimary)
    return {
      ...shareSockets(primary, { isFirst: index === 0 }),
      end() {
        present = present.filter((one) => one !== inPrimary)
        meetings.leave(inPrimary)
      },
    }
  })
  return workers as [(typeof workers)[0], (typeof workers)[0], (typeof workers)[0]]
}

const isSettled = async (promise: Promise<unknown>) => {
  const pending = Symbol('pending')
  return (await Promise.race([promise, sleep(50, pending)])) !== pending
}

test('workers that meet go on when all have come, as often as they meet', async () => {
  const [one, two, three] = crewOf(3)
  for (let round = 0; round < 2; round++) {
    const waiting = [one.meet(), two.meet()]
    assert.equal(await isSettled(waiting[0]!), false)
    await Promise.all([...waiting, three.meet()])
  }
})

test('a worker that ends is not waited for', async () => {
  const [one, two, three] = crewOf(3)
  const waiting = [one.meet(), two.meet()]
  assert.equal(await isSettled(waiting[0]!), false)
  three.end()
  await Promise.all(waiting)
})
