import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import files, { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

const blobs = join(await temporaryFolder('durable'), 'blobs')
const system = await boot({ env: { BLOBS_URL: `file:${blobs}` } })
const { api, credentials } = await s3Owner(system)
const bucketId = (await api('POST /buckets', { body: { name: 'durable' } })).body.id as string

/** What the server does with files until it responds, in its order. */
const steps: string[] = []

const record = async () => {
  const { rename } = files
  const handle = await open('package.json', 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { datasync, sync } = prototype
  // Slow enough that whoever does not wait for them is found out.
  prototype.datasync = async function () {
    await sleep(50)
    await datasync.call(this)
    steps.push('content flushed')
  }
  prototype.sync = async function () {
    const isFolder = (await this.stat()).isDirectory()
    await sleep(50)
    await sync.call(this)
    steps.push(isFolder ? 'folder flushed' : 'content flushed')
  }
  files.rename = async (from, to) => {
    await rename(from, to)
    steps.push('named')
  }
  syncBuiltinESMExports()
  cleanUp(() => {
    Object.assign(prototype, { datasync, sync })
    files.rename = rename
    syncBuiltinESMExports()
  })
}
await record()

const size = 2 ** 20
const bytes = () => randomBytes(size)
const path = (key: string) => `/buckets/${bucketId}/objects/${key}`

const root = `/buckets/${bucketId}/multipart`
const initiated = async () =>
  (await api(`POST ${root}/initiate`, { body: { objectKey: 'in-parts' } })).body.uploadId as string
const form = () => {
  const body = new FormData()
  body.set('objectKey', 'form')
  body.set('file', new Blob([bytes()]), 'form')
  return body
}

const ways: Record<string, () => Promise<() => Promise<{ status: number; text: string }>>> = {
  'a PUT': async () => () => api(`PUT ${path('put')}`, { raw: bytes() }),
  'a PUT that replaces an object': async () => () => api(`PUT ${path('put')}`, { raw: bytes() }),
  'a form': async () => () => api(`POST /buckets/${bucketId}/objects/upload`, { raw: form() as never }),
  'a part': async () => {
    const uploadId = await initiated()
    return () => api(`PUT ${root}/${uploadId}/parts/1`, { raw: bytes() })
  },
  'a PUT over S3': async () => () => signedRequest(system, credentials, 'PUT /durable/s3', { body: bytes() }),
}

for (const [name, prepare] of Object.entries(ways))
  test(`${name} is answered when its bytes and their name have reached the disk`, async () => {
    const send = await prepare()
    steps.length = 0
    const { status, text } = await send()
    const seen = [...steps]
    assert.ok(status === 200 || status === 201, text)
    // The folders are made and flushed before the first one.
    const last = seen.slice(seen.indexOf('content flushed'))
    assert.deepEqual(last, ['content flushed', 'named', 'folder flushed'])
  })
