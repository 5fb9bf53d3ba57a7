import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBucket } from '#test/support/storage.ts'
import { testEachWay } from './support/scene.ts'
import { assertSameTree, makeTree } from './support/trees.ts'

testEachWay('duplicity makes full and incremental backups, and restores the last state', async (scene) => {
  const { api, run, folder, endpoint } = scene
  const duplicity = (...args: string[]) =>
    run('duplicity', [...args, '--s3-endpoint-url', endpoint], { PASSPHRASE: 'a passphrase for tests' })
  const [up, down] = [join(folder, 'up'), join(folder, 'down')]
  await makeTree(up)
  await createBucket(api, 'backups')
  await duplicity('full', up, 'boto3+s3://backups/lap top')
  await rm(join(up, 'empty'))
  await writeFile(join(up, 'new'), 'new')
  await duplicity('incremental', up, 'boto3+s3://backups/lap top')
  await duplicity('restore', 'boto3+s3://backups/lap top', down)
  await assertSameTree(down, up)
})
