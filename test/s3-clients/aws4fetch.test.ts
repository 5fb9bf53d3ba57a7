import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { fetchBytes, testEachWay } from './support/scene.ts'
import { bytesFor, largeSize, oddKeys } from './support/trees.ts'

const encoded = (key: string) => key.split('/').map(encodeURIComponent).join('/')

testEachWay('aws4fetch writes, reads, lists, presigns and deletes', async (scene) => {
  const { endpoint, accessKey, secretKey } = scene
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3' })
  const send = async (method: string, path: string, body?: Buffer) => {
    const response = await client.fetch(`${endpoint}${path}`, { method, ...(body ? { body } : {}) })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.ok(response.ok, `${method} ${path}: ${bytes}`)
    return bytes
  }
  await send('PUT', '/photos')
  // A URL has no other way to write a folder of dots than the folder itself.
  const keys = oddKeys.filter((key) => !/(^|\/)\.\.?(\/|$)/.test(key))
  for (const key of keys) {
    const path = `/photos/${encoded(key)}`
    await send('PUT', path, bytesFor(key))
    assert.ok((await send('GET', path)).equals(bytesFor(key)), key)
    const signed = await client.sign(`${endpoint}${path}`, { aws: { signQuery: true } })
    assert.ok((await fetchBytes(signed.url)).equals(bytesFor(key)), key)
  }
  for (const bytes of [Buffer.alloc(0), randomBytes(largeSize)]) {
    await send('PUT', '/photos/bytes', bytes)
    assert.ok((await send('GET', '/photos/bytes')).equals(bytes))
  }
  const listed = (await send('GET', '/photos?list-type=2&delimiter=/&prefix=with%20space/')).toString()
  assert.match(listed, /<Key>with space\/and {2}two\.txt<\/Key>/)
  await send('DELETE', '/photos/bytes')
  assert.equal((await client.fetch(`${endpoint}/photos/bytes`)).status, 404)
})
