import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchedFile, BatchOptions, UploadedBatch } from '#sdk/index.ts'
import type { Running } from './item.ts'
import { createTogether } from './together.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

type Request = {
  bucketId: string
  keys: string[]
  options: BatchOptions
  finish(errors?: UploadedBatch['errors']): void
  fail(error: unknown): void
}

/** Requests end when the test says so. */
const controlled = () => {
  const requests: Request[] = []
  const alone: string[] = []
  const log: string[] = []
  const many = (bucketId: string, files: readonly BatchedFile[], options: BatchOptions = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<UploadedBatch>()
    options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
    requests.push({
      bucketId,
      keys: files.map(({ key }) => key),
      options,
      finish: (errors = []) => resolve({ uploaded: [], errors }),
      fail: reject,
    })
    return promise
  }
  const one = ({ key }: { key: string }): Running => {
    alone.push(key)
    const say = (what: string) => log.push(`${what} ${key}`)
    return {
      done: new Promise(() => {}),
      pause: () => void say('pause'),
      resume: () => void say('resume'),
      cancel: async () => void say('cancel'),
    }
  }
  const send = createTogether({ one, many })
  const states = new Map<string, string>()
  const start = (key: string, { bucketId = 'b', size = 10, source = new Uint8Array(size) as never } = {}) => {
    const upload = send({ bucketId, key, size, source: Promise.resolve(source), options: {} })
    upload.done.then(
      () => states.set(key, 'stored'),
      (error: Error) => states.set(key, error.message),
    )
    return upload
  }
  const startMany = (count: number, more = {}) => Array.from({ length: count }, (_, n) => start(`${n}`, more))
  return { requests, alone, log, states, start, startMany }
}

test('a few files are sent one by one, and controlled one by one', async () => {
  const { requests, alone, log, startMany } = controlled()
  const [first] = startMany(7)
  await settled()
  assert.deepEqual([requests.length, alone.length], [0, 7])
  first?.pause()
  first?.resume()
  await first?.cancel()
  assert.deepEqual(log, ['pause 0', 'resume 0', 'cancel 0'])
})

test('many files are sent together, by two requests at once; what is refused fails alone', async () => {
  const { requests, states, startMany } = controlled()
  startMany(250)
  await settled()
  assert.deepEqual(
    requests.map(({ keys }) => keys.length),
    [100, 100],
  )
  requests[0]?.finish([{ key: '3', status: 403, message: 'Not allowed' }])
  await settled()
  assert.equal(states.get('3'), 'Not allowed')
  assert.equal([...states.values()].filter((state) => state === 'stored').length, 99)
  assert.equal(requests[2]?.keys.length, 50)
})

test('a request has files of one bucket, each key once, and half a mebibyte at most', async () => {
  const { requests, alone, start, startMany } = controlled()
  startMany(10, { size: 60_000 })
  await settled()
  assert.equal(requests[0]?.keys.length, 8)
  assert.deepEqual(alone, ['8', '9'])
  for (const bucketId of ['b', 'c']) for (let n = 0; n < 8; n++) start(`${n}`, { bucketId })
  for (let n = 0; n < 8; n++) start(`${n}`)
  await settled()
  assert.deepEqual([requests[1]?.bucketId, requests[1]?.keys.length], ['b', 8])
  for (const request of requests) request.finish()
  await settled()
  assert.deepEqual([requests[2]?.bucketId, requests[2]?.keys.length], ['c', 8])
  assert.deepEqual([requests[3]?.bucketId, requests[3]?.keys.length], ['b', 8])
})

test('a request that fails as a whole fails for each of its files', async () => {
  const { requests, states, startMany } = controlled()
  startMany(8)
  await settled()
  requests[0]?.fail(new Error('The bucket is gone'))
  await settled()
  assert.deepEqual([...new Set(states.values())], ['The bucket is gone'])
})

test('a file that cannot be read fails alone', async () => {
  const { requests, states, start, startMany } = controlled()
  startMany(8)
  const unreadable = Object.assign(new Blob(['x']), {
    arrayBuffer: async () => {
      throw new Error('The file was changed')
    },
  })
  start('unreadable', { source: unreadable as never })
  await settled()
  assert.equal(requests[0]?.keys.length, 8)
  assert.equal(states.get('unreadable'), 'The file was changed')
})

test('a paused file counts as stored if its request has stored it, and is sent again if all were paused', async () => {
  const { requests, states, startMany } = controlled()
  const uploads = startMany(8)
  await settled()
  uploads[0]?.pause()
  assert.equal(requests[0]?.options.signal?.aborted, false)
  for (const upload of uploads) upload.pause()
  assert.equal(requests[0]?.options.signal?.aborted, true)
  await settled()
  assert.equal(states.size, 0)
  for (const upload of uploads) upload.resume()
  await settled()
  assert.equal(requests[1]?.keys.length, 8)
  uploads[0]?.pause()
  requests[1]?.finish()
  await settled()
  assert.equal(states.get('0'), 'stored')
})

test('a file that is paused or cancelled before it is sent is not sent', async () => {
  const { requests, states, startMany } = controlled()
  const uploads = startMany(10)
  uploads[0]?.pause()
  await uploads[1]?.cancel()
  await settled()
  assert.deepEqual(requests[0]?.keys, ['2', '3', '4', '5', '6', '7', '8', '9'])
  assert.equal(states.get('1'), 'The upload was cancelled')
  await uploads[2]?.cancel()
  requests[0]?.finish()
  await settled()
  assert.equal(states.get('2'), 'The upload was cancelled')
})
