import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Scene, testEachWay } from './support/scene.ts'
import { assertSameTree, makeTree, oddNames } from './support/trees.ts'

/** Only where to find us and who we are; a name of a bucket in the host needs DNS. */
const s3cmdOf = async ({ run, folder, host, accessKey, secretKey }: Scene) => {
  await writeFile(
    join(folder, '.s3cfg'),
    `[default]
access_key = ${accessKey}
secret_key = ${secretKey}
host_base = ${host}
host_bucket = ${host}
use_https = False
`,
  )
  return (...args: string[]) => run('s3cmd', args)
}

testEachWay('s3cmd syncs a tree up and down, and finds nothing to do afterwards', async (scene) => {
  const s3cmd = await s3cmdOf(scene)
  const [up, down] = [join(scene.folder, 'up'), join(scene.folder, 'down')]
  await makeTree(up, { names: oddNames })
  await s3cmd('mb', 's3://photos')
  await s3cmd('sync', `${up}/`, 's3://photos/')
  await s3cmd('sync', 's3://photos/', `${down}/`)
  await assertSameTree(down, up)
  assert.doesNotMatch(await s3cmd('sync', `${up}/`, 's3://photos/'), /upload:/)
})

testEachWay('s3cmd lists, copies, moves, signs and deletes', async (scene) => {
  const s3cmd = await s3cmdOf(scene)
  await writeFile(join(scene.folder, 'small.txt'), 'small')
  await s3cmd('mb', 's3://photos')
  await s3cmd('put', 'small.txt', 's3://photos/a b/ü+%.txt')
  await s3cmd('cp', 's3://photos/a b/ü+%.txt', 's3://photos/copy.txt')
  await s3cmd('mv', 's3://photos/copy.txt', 's3://photos/moved.txt')
  const listed = await s3cmd('ls', 's3://photos')
  assert.match(listed, /DIR +s3:\/\/photos\/a b\/\n.* 5 +s3:\/\/photos\/moved\.txt\n$/)
  assert.match(await s3cmd('info', 's3://photos/a b/ü+%.txt'), /File size: 5\n/)
  await s3cmd('get', 's3://photos/a b/ü+%.txt', 'back.txt')
  assert.equal(await readFile(join(scene.folder, 'back.txt'), 'utf8'), 'small')
  await s3cmd('del', 's3://photos/moved.txt')
  await s3cmd('rb', '--force', '--recursive', 's3://photos')
  assert.equal(await s3cmd('ls'), '')
})
