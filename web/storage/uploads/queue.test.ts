import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredObject, TrivetError, type UploadOptions } from '#sdk/index.ts'
import { createMemory } from './memory.ts'
import { createQueue } from './queue.ts'

const mebibyte = 1024 * 1024
const target = { bucketId: 'b', bucketName: 'bucket', folder: 'folder/' }

const place = () => {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
}

const fileOf = (name: string, size = mebibyte, lastModified = 1) => {
  const file = new File([], name, { lastModified })
  Object.defineProperty(file, 'size', { value: size })
  return { file, path: name }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

/** A queue whose uploads end when the test says so. */
const controlled = () => {
  const running = new Map<string, ReturnType<typeof start>>()
  const abandoned: string[] = []
  const log: string[] = []
  const start = (key: string, options: UploadOptions) => {
    const { promise: done, resolve, reject } = Promise.withResolvers<StoredObject>()
    done.catch(() => {})
    return {
      options,
      done,
      pause: () => void log.push(`pause ${key}`),
      resume: () => void log.push(`resume ${key}`),
      cancel: async () => void log.push(`cancel ${key}`),
      finish: () => resolve({} as StoredObject),
      fail: reject,
    }
  }
  const memory = createMemory(place())
  const queue = createQueue({
    upload: (_, key, __, options) => {
      const upload = start(key, options)
      running.set(key, upload)
      return upload
    },
    uploadBatch: async () => assert.fail('nothing is small'),
    abandon: async (_, id) => abandoned.push(id),
    memory,
    onChange: () => {},
  })
  const states = () => queue.items().map(({ state }) => state)
  return { queue, running, memory, abandoned, log, states }
}

const refused = (status: number) =>
  new TrivetError({ status, message: 'Refused', code: null, fields: [], requestId: null, body: null })

test('seven files are started at once, and another one when one of them is stored', async () => {
  const { queue, running, states } = controlled()
  queue.add(
    target,
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => fileOf(name)),
  )
  assert.deepEqual(states(), [...Array(7).fill('sending'), 'waiting'])
  running.get('folder/b')?.finish()
  await settled()
  assert.deepEqual(states(), ['sending', 'done', ...Array(6).fill('sending')])
})

test('two large files are sent at once, each by two connections', () => {
  const { queue, running, states } = controlled()
  queue.add(
    target,
    ['a', 'b', 'c'].map((name) => fileOf(name, 17 * mebibyte)),
  )
  assert.deepEqual(states(), ['sending', 'sending', 'waiting'])
  assert.equal(running.get('folder/a')?.options.concurrency, 2)
})

test('a paused file gives its place to another and goes on when it is its turn again', async () => {
  const { queue, running, states, log } = controlled()
  queue.add(
    target,
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => fileOf(name)),
  )
  queue.pause(1)
  assert.deepEqual(states(), ['paused', ...Array(7).fill('sending')])
  queue.resume(1)
  assert.deepEqual(states()[0], 'waiting')
  running.get('folder/h')?.finish()
  await settled()
  assert.deepEqual(states(), [...Array(7).fill('sending'), 'done'])
  assert.deepEqual(log, ['pause folder/a', 'resume folder/a'])
  running.get('folder/a')?.finish()
  await settled()
  assert.equal(states()[0], 'done')
})

test('a failed file says why, and is sent again by retry', async () => {
  const { queue, running, states } = controlled()
  queue.add(target, [fileOf('a')])
  running.get('folder/a')?.fail(refused(403))
  await settled()
  assert.deepEqual(states(), ['failed'])
  assert.equal(queue.items()[0]?.error, 'Refused')
  queue.retry(1)
  assert.deepEqual(states(), ['sending'])
  assert.equal(queue.items()[0]?.error, null)
})

test('a cancelled file no longer counts', async () => {
  const { queue, log } = controlled()
  queue.add(target, [fileOf('a'), fileOf('b', 3 * mebibyte)])
  queue.cancel(1)
  await settled()
  assert.deepEqual(log, ['cancel folder/a'])
  const { files, bytes } = queue.summary()
  assert.deepEqual({ files, bytes }, { files: 1, bytes: 3 * mebibyte })
})

test('cancelling or pausing all of them starts none of those that wait', async () => {
  const { queue, running, states } = controlled()
  queue.add(
    target,
    Array.from({ length: 20 }, (_, n) => fileOf(`${n}`)),
  )
  queue.pauseAll()
  assert.deepEqual(new Set(states()), new Set(['paused']))
  queue.cancelAll()
  await settled()
  assert.deepEqual(new Set(states()), new Set(['cancelled']))
  assert.equal(running.size, 7)
})

test('a large file that was interrupted is continued when it is chosen again; one that may differ is compared', () => {
  const { queue, running, memory } = controlled()
  queue.add(target, [fileOf('a', 20 * mebibyte)])
  running.get('folder/a')?.options.onStart?.('upload-1')
  const second = controlled()
  for (const known of memory.list()) second.memory.add(known)
  const begun = () => second.running.get('folder/a')?.options
  second.queue.add(target, [fileOf('a', 21 * mebibyte)])
  assert.equal(begun()?.uploadId, undefined)
  second.queue.add(target, [fileOf('a', 20 * mebibyte)])
  assert.equal(begun()?.uploadId, 'upload-1')
  assert.equal(begun()?.isSamePart, undefined)
  second.queue.pauseAll()
  second.queue.add(target, [fileOf('a', 20 * mebibyte, 2)])
  assert.equal(begun()?.uploadId, 'upload-1')
  assert.equal(begun()?.isSamePart?.(new Uint8Array(), '"d41d8cd98f00b204e9800998ecf8427e"'), true)
  assert.equal(begun()?.isSamePart?.(Uint8Array.of(1), '"d41d8cd98f00b204e9800998ecf8427e"'), false)
})

test('a file is sent from the beginning if the server has given up what arrived earlier', async () => {
  const { queue, running, memory, states } = controlled()
  memory.add({
    bucketId: 'b',
    bucketName: 'bucket',
    key: 'folder/a',
    fileName: 'a',
    size: 20 * mebibyte,
    lastModified: 1,
    uploadId: 'gone',
  })
  queue.add(target, [fileOf('a', 20 * mebibyte)])
  assert.equal(running.get('folder/a')?.options.uploadId, 'gone')
  running.get('folder/a')?.fail(refused(404))
  await settled()
  assert.deepEqual(states(), ['sending'])
  assert.equal(running.get('folder/a')?.options.uploadId, undefined)
})

test('cancelling a file that has failed removes what has arrived of it', async () => {
  const { queue, running, abandoned, memory } = controlled()
  queue.add(target, [fileOf('a', 20 * mebibyte)])
  running.get('folder/a')?.options.onStart?.('upload-1')
  running.get('folder/a')?.fail(refused(0))
  await settled()
  queue.cancel(1)
  await settled()
  assert.deepEqual(abandoned, ['upload-1'])
  assert.deepEqual(memory.list(), [])
})

test('progress is counted in bytes over all files, and falls when bytes were lost', () => {
  const { queue, running } = controlled()
  queue.add(target, [fileOf('a', mebibyte), fileOf('b', 3 * mebibyte)])
  running.get('folder/a')?.options.onProgress?.({ loaded: 60, total: mebibyte })
  running.get('folder/b')?.options.onProgress?.({ loaded: 200, total: 3 * mebibyte })
  assert.equal(queue.summary().loaded, 260)
  running.get('folder/b')?.options.onProgress?.({ loaded: 0, total: 3 * mebibyte })
  assert.equal(queue.summary().loaded, 60)
})

test('10,000 files are sent evenly, at most 1,000 a minute, and the summary says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  let sent = 0
  const queue = createQueue({
    upload: () => {
      sent++
      return { done: Promise.resolve({} as StoredObject), pause() {}, resume() {}, cancel: async () => {} }
    },
    uploadBatch: async () => assert.fail('nothing is small'),
    abandon: async () => {},
    memory: createMemory(place()),
    onChange: () => {},
  })
  queue.add(
    target,
    Array.from({ length: 10_000 }, (_, n) => fileOf(`${n}`)),
  )
  for (let second = 0; second < 60; second++)
    for (let step = 0; step < 20; step++) {
      t.mock.timers.tick(50)
      for (let turn = 0; turn < 8; turn++) await Promise.resolve()
    }
  assert.ok(sent > 450 && sent <= 1_001, `${sent} were sent in a minute`)
  const { isPaced, secondsLeft } = queue.summary()
  assert.equal(isPaced, true)
  assert.ok((secondsLeft ?? 0) > 500)
})
