import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Client, CopyDestinationOptions, CopySourceOptions } from 'minio'
import { fetchBytes, testEachWay } from './support/scene.ts'
import { bytesFor, largeSize, oddKeys } from './support/trees.ts'

testEachWay('the client of MinIO writes, reads, lists, copies, presigns and deletes', async (scene) => {
  const { hostname, port } = new URL(scene.endpoint)
  const { accessKey, secretKey } = scene
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey })
  await client.makeBucket('photos')
  assert.equal(await client.bucketExists('photos'), true)
  assert.equal(await client.bucketExists('others'), false)
  const bytesAt = async (key: string) => buffer(await client.getObject('photos', key))
  // It refuses these itself.
  const keys = oddKeys.filter((key) => !key.includes('..'))
  for (const key of keys) {
    await client.putObject('photos', key, bytesFor(key), undefined, { 'X-Amz-Meta-Kind': 'odd' })
    assert.ok((await bytesAt(key)).equals(bytesFor(key)), key)
    assert.equal((await client.statObject('photos', key)).metaData.kind, 'odd', key)
    const url = await client.presignedGetObject('photos', key)
    assert.ok((await fetchBytes(url)).equals(bytesFor(key)), url)
  }
  const large = randomBytes(largeSize)
  await client.putObject('photos', 'large', large)
  assert.ok((await bytesAt('large')).equals(large))
  await client.putObject('photos', 'empty', Buffer.alloc(0))
  assert.equal((await bytesAt('empty')).length, 0)
  await client.copyObject(
    new CopySourceOptions({ Bucket: 'photos', Object: 'large' }),
    new CopyDestinationOptions({ Bucket: 'photos', Object: 'copy of large' }),
  )
  assert.ok((await bytesAt('copy of large')).equals(large))
  const all = await Array.fromAsync(client.listObjectsV2('photos', '', true))
  assert.equal(all.length, keys.length + 3)
  const folder = await Array.fromAsync(client.listObjectsV2('photos', 'with space/'))
  assert.deepEqual(
    folder.map(({ name }) => name),
    ['with space/and  two.txt'],
  )
  await client.removeObjects(
    'photos',
    all.map(({ name }) => name),
  )
  await client.removeBucket('photos')
})
