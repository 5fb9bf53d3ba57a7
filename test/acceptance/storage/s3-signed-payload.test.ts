import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { bytesOf, type RawRequest, sendRaw, sign } from '#test/support/s3-raw.ts'

// Whoever hands out a signature for one content must not get another.
const system = await boot()
const { s3, credentials } = await s3Owner(system)
const base = system.urls.s3
await s3.send(new CreateBucketCommand({ Bucket: 'promised' }))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const put = (more: Partial<RawRequest>): RawRequest => ({ method: 'PUT', path: '/promised/a', ...more })
const send = (request: RawRequest, expires?: number) =>
  sendRaw(base, bytesOf(sign(base, credentials, request, expires)))
const isStored = async () => (await send({ method: 'HEAD', path: '/promised/a' })).status === 200
const refused = async (request: RawRequest, code: string, expires?: number) => {
  const response = await send(request, expires)
  assert.deepEqual([response.status, response.code], [400, code], response.text)
  assert.equal(await isStored(), false)
}

const name = 'X-Amz-Content-Sha256'
const [right, wrong] = [Buffer.from('right'), Buffer.from('wrong')]
const hash = sha256('right')

test('a presigned upload whose query names the hash of its body accepts no other body', async () => {
  for (const spelled of [name, name.toLowerCase()])
    await refused(
      put({ body: wrong, payload: hash, query: [[spelled, hash]] }),
      'XAmzContentSHA256Mismatch',
      60,
    )
  await refused(put({ body: Buffer.from('righ'), payload: hash, query: [[name, hash]] }), 'XAmzContentSHA256Mismatch', 60)
  const headers = { [name.toLowerCase()]: hash }
  await refused(put({ body: wrong, payload: hash, headers }), 'XAmzContentSHA256Mismatch', 60)
}) // biome-ignore format: one line

test('what is no hash is refused, wherever it is said', async () => {
  for (const payload of ['nonsense', '', hash.slice(1), `${hash}0`, 'UNSIGNED', `${hash}, ${hash}`]) {
    await refused(put({ body: right, payload, query: [[name, payload]] }), 'InvalidArgument', 60)
    await refused(put({ body: right, payload, headers: { [name]: payload } }), 'InvalidArgument', 60)
    await refused(put({ body: right, payload }), 'InvalidArgument')
    await refused({ method: 'GET', path: '/promised', payload }, 'InvalidArgument')
  }
})

test('two hashes are refused', async () => {
  const other = sha256('wrong')
  for (const payload of [hash, other]) {
    const query: [string, string][] = [[name, hash], [name, other]]
    await refused(put({ body: right, payload, query }), 'InvalidArgument', 60)
    await refused(put({ body: right, payload, query: [[name, hash]], headers: { [name]: other } }), 'InvalidArgument', 60)
  }
}) // biome-ignore format: as a table

test('a signature for no host is refused', async () => {
  for (const expires of [undefined, 60])
    await refused(put({ body: right, headers: { host: '' } }), 'InvalidRequest', expires)
})

test('a presigned upload of what was promised is stored, and so is any if nothing was promised', async () => {
  const promised = put({ body: right, payload: hash, query: [[name, hash]] })
  assert.equal((await send(promised, 60)).status, 200)
  assert.equal((await send(put({ body: right, query: [[name, 'UNSIGNED-PAYLOAD']] }), 60)).status, 200)
  assert.equal((await send(put({ body: wrong }), 60)).status, 200)
})
