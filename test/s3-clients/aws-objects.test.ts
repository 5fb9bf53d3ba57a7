import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { awsOf } from './support/aws.ts'
import { fetchBytes, testEachWay } from './support/scene.ts'
import { largeSize } from './support/trees.ts'

testEachWay('aws s3 lists, copies, moves, presigns and deletes', async (scene) => {
  const aws = awsOf(scene)
  const bytes = randomBytes(largeSize)
  await writeFile(join(scene.folder, 'large.bin'), bytes)
  await aws('s3', 'mb', 's3://photos')
  await aws('s3', 'cp', 'large.bin', 's3://photos/a b/ü+%.bin')
  // A copy of this size is made in parts.
  await aws('s3', 'cp', 's3://photos/a b/ü+%.bin', 's3://photos/copy.bin')
  await aws('s3', 'mv', 's3://photos/copy.bin', 's3://photos/moved.bin')
  assert.match(await aws('s3', 'ls', 's3://photos'), /^ +PRE a b\/\n\S+ \S+ +17825803 moved\.bin\n$/)
  const url = (await aws('s3', 'presign', 's3://photos/moved.bin')).trim()
  assert.ok((await fetchBytes(url)).equals(bytes))
  await aws('s3', 'rb', '--force', 's3://photos')
  assert.equal(await aws('s3', 'ls'), '')
})
