import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBucket } from '#test/support/storage.ts'
import { type Scene, testEachWay } from './support/scene.ts'
import { assertSameTree, makeTree } from './support/trees.ts'

testEachWay('s3fs mounts a bucket, in which files are written, read, renamed and removed', async (scene) => {
  const { t, api, run, folder, endpoint } = scene
  if (!existsSync('/dev/fuse')) {
    t.diagnostic('NOT TESTED: s3fs needs /dev/fuse, which this machine does not have')
    return
  }
  const [up, mounted] = [join(folder, 'up'), join(folder, 'mounted')]
  await makeTree(up, { size: 26 * 1024 * 1024 })
  await mkdir(mounted)
  await createBucket(api, 'disk')
  await run('s3fs', ['disk', mounted, '-o', `url=${endpoint},use_path_request_style`])
  try {
    await work(scene, up, mounted)
  } finally {
    await run('fusermount', ['-u', '-z', mounted])
  }
})

const work = async ({ run }: Scene, up: string, mounted: string) => {
  await run('cp', ['-r', `${up}/.`, mounted])
  await assertSameTree(mounted, up)
  for (const place of [up, mounted]) {
    await rename(join(place, 'with space'), join(place, 'renamed folder'))
    await rename(join(place, 'plain.txt'), join(place, 'renamed.txt'))
    await run('rm', ['-r', join(place, 'ünïcödé')])
    await writeFile(join(place, 'renamed.txt'), 'and something more', { flag: 'a' })
  }
  await assertSameTree(mounted, up)
}
