import assert from 'node:assert/strict'
import { join } from 'node:path'
import { awsOf } from './support/aws.ts'
import { testEachWay } from './support/scene.ts'
import { assertSameTree, makeTree } from './support/trees.ts'

testEachWay('aws s3 syncs a tree up and down, and finds nothing to do afterwards', async (scene) => {
  const aws = awsOf(scene)
  const [up, down] = [join(scene.folder, 'up'), join(scene.folder, 'down')]
  await makeTree(up)
  await aws('s3', 'mb', 's3://photos')
  await aws('s3', 'sync', up, 's3://photos')
  await aws('s3', 'sync', 's3://photos', down)
  await assertSameTree(down, up)
  assert.equal(await aws('s3', 'sync', up, 's3://photos'), '')
})
