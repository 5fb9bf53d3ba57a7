import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fetchBytes, type Scene, testEachWay } from './support/scene.ts'
import { assertSameTree, largeSize, makeTree } from './support/trees.ts'

const settings = ({ endpoint }: Scene) => ({
  RCLONE_CONFIG_TRIVET_TYPE: 's3',
  RCLONE_CONFIG_TRIVET_PROVIDER: 'Other',
  RCLONE_CONFIG_TRIVET_ENV_AUTH: 'true',
  RCLONE_CONFIG_TRIVET_ENDPOINT: endpoint,
})

const rcloneOf =
  (scene: Scene) =>
  (...args: string[]) =>
    scene.run('rclone', args, settings(scene))

testEachWay('rclone syncs a tree up and down, and finds nothing to do afterwards', async (scene) => {
  const rclone = rcloneOf(scene)
  const [up, down] = [join(scene.folder, 'up'), join(scene.folder, 'down')]
  await makeTree(up)
  await rclone('mkdir', 'trivet:photos')
  await rclone('sync', up, 'trivet:photos')
  await rclone('sync', 'trivet:photos', down)
  await assertSameTree(down, up)
  await rclone('check', '--download', up, 'trivet:photos')
  // Modification times come back as well, so nothing is sent again.
  const again = await rclone('sync', '--dry-run', '--use-json-log', '--stats-one-line', up, 'trivet:photos')
  assert.equal(again, '')
})

testEachWay('rclone lists, streams, copies, moves, links and deletes', async (scene) => {
  const rclone = rcloneOf(scene)
  await rclone('mkdir', 'trivet:photos')
  // A stream has no known size, and is sent in parts.
  const large = randomBytes(largeSize)
  await scene.run('rclone', ['rcat', 'trivet:photos/a b/large.bin'], settings(scene), large)
  await rclone('copyto', 'trivet:photos/a b/large.bin', 'trivet:photos/ü+%/copy.bin')
  await rclone('moveto', 'trivet:photos/ü+%/copy.bin', 'trivet:photos/moved.bin')
  assert.equal(await rclone('lsf', 'trivet:photos'), 'a b/\nmoved.bin\n')
  const all = await rclone('lsf', '-R', '--files-only', 'trivet:photos')
  assert.deepEqual(all.trim().split('\n').sort(), ['a b/large.bin', 'moved.bin'])
  const link = (await rclone('link', 'trivet:photos/a b/large.bin')).trim()
  assert.ok((await fetchBytes(link)).equals(large))
  await rclone('deletefile', 'trivet:photos/moved.bin')
  assert.equal(await rclone('lsf', 'trivet:photos'), 'a b/\n')
  await rclone('purge', 'trivet:photos')
  assert.equal(await rclone('lsf', 'trivet:'), '')
})
