import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Scene, testEachWay } from './support/scene.ts'
import { bytesFor, largeSize, oddKeys } from './support/trees.ts'

const curlOf =
  ({ run, accessKey, secretKey, region }: Scene) =>
  (...args: string[]) =>
    run('/usr/bin/curl', [
      ...['-sS', '--fail-with-body', '--path-as-is', '--aws-sigv4', `aws:amz:${region}:s3`],
      ...['--user', `${accessKey}:${secretKey}`, ...args],
    ])

// This version of curl signs a path as it is given, so it is encoded as S3 wants it.
const encode = (part: string) =>
  encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const encoded = (key: string) => key.split('/').map(encode).join('/')

testEachWay('curl --aws-sigv4 writes, reads, lists and deletes', async (scene) => {
  const curl = curlOf(scene)
  const { folder, endpoint } = scene
  const file = join(folder, 'file')
  const unsigned = ['-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD']
  await curl('-X', 'PUT', `${endpoint}/photos`)
  for (const bytes of [Buffer.alloc(0), randomBytes(largeSize)]) {
    await writeFile(file, bytes)
    await curl('-T', file, ...unsigned, `${endpoint}/photos/file`)
    await curl('-o', join(folder, 'back'), `${endpoint}/photos/file`)
    assert.ok((await readFile(join(folder, 'back'))).equals(bytes))
  }
  // curl adds the name of the file to a URL that ends in a slash.
  const keys = oddKeys.filter((key) => !key.endsWith('/'))
  for (const key of keys) {
    await writeFile(file, bytesFor(key))
    await curl('-T', file, ...unsigned, `${endpoint}/photos/${encoded(key)}`)
    assert.equal(await curl(`${endpoint}/photos/${encoded(key)}`), bytesFor(key).toString())
  }
  const listed = await curl(`${endpoint}/photos?delimiter=%2F&list-type=2&prefix=with%20space%2F`)
  assert.match(listed, /<Key>with space\/and {2}two\.txt<\/Key>/)
  await curl('-X', 'DELETE', `${endpoint}/photos/plain.txt`)
  await assert.rejects(curl(`${endpoint}/photos/plain.txt`), /NoSuchKey/)
})
