import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { testEachWay } from './support/scene.ts'
import { assertSameTree, makeTree } from './support/trees.ts'

testEachWay('restic makes, checks, restores and forgets backups', async ({ run, folder, endpoint }) => {
  const restic = (...args: string[]) =>
    run('restic', args, {
      RESTIC_REPOSITORY: `s3:${endpoint}/backups/laptop`,
      RESTIC_PASSWORD: 'a password for tests',
    })
  const [up, down] = [join(folder, 'up'), join(folder, 'down')]
  await makeTree(up)
  await restic('init')
  await restic('backup', up)
  await restic('check', '--read-data')
  await restic('restore', 'latest', '--target', down)
  await assertSameTree(join(down, up), up)
  await rm(join(up, 'big'), { recursive: true })
  await restic('backup', up)
  const forgotten = await restic('forget', '--keep-last', '1', '--prune')
  assert.match(forgotten, /1 snapshots have been removed/)
  await restic('check', '--read-data')
  assert.equal(JSON.parse(await restic('snapshots', '--json')).length, 1)
  assert.ok((await readdir(up)).length > 1)
})
