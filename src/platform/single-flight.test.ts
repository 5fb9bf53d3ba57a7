import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight, singleFlightByKey } from './single-flight.ts'

/** Work whose runs end when the test says so. */
const work = () => {
  const runs: PromiseWithResolvers<string>[] = []
  const run = () => {
    const started = Promise.withResolvers<string>()
    runs.push(started)
    return started.promise
  }
  return { runs, run }
}

const turn = () => new Promise(setImmediate)

test('single flight: whoever calls during a run shares the next one', async () => {
  const { runs, run } = work()
  const call = singleFlight(run)
  const first = call()
  await turn()
  const others = [call(), call()]
  await turn()
  assert.equal(runs.length, 1)
  runs[0]!.resolve('first')
  assert.equal(await first, 'first')
  await turn()
  assert.equal(runs.length, 2)
  runs[1]!.resolve('second')
  assert.deepEqual(await Promise.all(others), ['second', 'second'])
})

test('single flight by key: whoever asks for a key during a run shares that run, until it ends or fails', async () => {
  const { runs, run } = work()
  const flights = singleFlightByKey<string>()
  const asked = [flights.run('a', run), flights.run('a', run), flights.run('b', run)]
  assert.equal(runs.length, 2)
  runs[0]!.resolve('a')
  runs[1]!.reject(new Error('b'))
  assert.deepEqual(
    (await Promise.allSettled(asked)).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
  assert.equal(flights.running('a') ?? flights.running('b'), undefined)
})

test('single flight by key: a forgotten run is told so, and does not end the run that replaced it', async () => {
  const { runs, run } = work()
  const flights = singleFlightByKey<string>()
  const told: boolean[] = []
  const asking = async (isForgotten: () => boolean) => {
    const value = await run()
    told.push(isForgotten())
    return value
  }
  const early = flights.run('a', asking)
  flights.forget('a')
  const late = flights.run('a', asking)
  runs[0]!.resolve('old')
  assert.equal(await early, 'old')
  await turn()
  assert.equal(flights.running('a'), late)
  runs[1]!.resolve('new')
  assert.equal(await late, 'new')
  assert.deepEqual(told, [true, false])
})
