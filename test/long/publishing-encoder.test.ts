import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import sharp from 'sharp'
import { encode } from '#publishing/pictures/encoder.ts'

const size = { width: 8, height: 8 }
const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
const task = { large: size, small: size, maxPixels: 1_000_000, quality: 80 }

/** The processes that this one has started, as Linux and macOS list them. */
const childProcesses = () =>
  execFileSync('ps', ['-eo', 'ppid=,pid=,args='])
    .toString()
    .split('\n')
    .filter((line) => Number(line.trim().split(/\s+/)[0]) === process.pid && line.includes('encoder-process'))

test('a picture at the limit of pixels is encoded, and one beyond it is not', async () => {
  const most = await encode(1, { ...task, bytes: await image(1000, 1000) })
  assert.ok('large' in most)
  const more = await encode(1, { ...task, bytes: await image(1001, 1000) })
  assert.ok('failure' in more && more.failure === 'too many pixels')
})

test('formats that nobody may upload are not decoded, even if they get this far', async () => {
  const tiff = await sharp(await image(8, 8))
    .tiff()
    .toBuffer()
  for (const bytes of [tiff, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')]) {
    const result = await encode(1, { ...task, bytes })
    assert.ok('failure' in result && result.failure === 'unreadable')
  }
})

test('a decoder that dies refuses its picture and leaves the next one alone', async () => {
  const bytes = await image(900, 900)
  const dying = encode(1, { ...task, bytes })
  const next = encode(1, { ...task, bytes })
  let child: string | undefined
  while (!child) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    child = childProcesses()[0]
  }
  process.kill(Number(child.trim().split(/\s+/)[1]), 'SIGKILL')
  const result = await dying
  assert.ok('failure' in result && result.failure === 'unreadable')
  assert.match(result.reason, /SIGKILL/)
  assert.ok('large' in (await next))
})

test('one picture is encoded at a time, four of one account may wait, and twenty of all', async () => {
  const bytes = await image(300, 300)
  const accounts = [1, 1, 1, 1, 1, ...Array.from({ length: 17 }, (_, n) => n + 2)]
  const results = await Promise.allSettled(accounts.map((id) => encode(id, { ...task, bytes })))
  const statuses = results.map((result) =>
    result.status === 'rejected' ? (result.reason as { status: number }).status : 200,
  )
  assert.deepEqual(statuses, [200, 200, 200, 200, 429, ...Array(16).fill(200), 503])
  assert.deepEqual(childProcesses(), [])
})
