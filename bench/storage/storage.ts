import { join } from 'node:path'
import { bareServer } from '../bare.ts'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { prepare, upload, uploads } from './account.ts'
import { fileLoop } from './limits.ts'
import { memoryWorkloads, streamDown, streamUp } from './memory.ts'
import { nginxWorkloads } from './nginx.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** Objects through one process, local files, an API key on every request. */
export const storageWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const { headers, root } = await prepare(trivet)

  for (const [name, size] of [
    ['4 KiB', 4 * KiB],
    ['1 MiB', MiB],
  ] as const) {
    const url = `${root}/hot-${size}`
    await upload(url, headers, size)
    const bare = await bareServer({ url, headers })
    yield await compare({
      name: `GET ${name}, hot`,
      limit: 'bare node:http, same bytes',
      subject: async (seconds) => (await load({ url, headers, seconds })).perSecond,
      against: bare.measure(headers),
    })
    bare.stop()
  }

  for (const [name, size] of [
    ['4 KiB', 4 * KiB],
    ['1 MiB', MiB],
  ] as const) {
    const loop = await fileLoop(join(trivet.dataDir, 'loop'), size)
    yield await compare(
      {
        name: `PUT ${name}, durable`,
        limit: 'write, fdatasync, rename, fsync',
        subject: async (seconds) =>
          (await load({ ...uploads(root, headers, size), connections: 16, seconds })).perSecond,
        against: loop.measure,
      },
      3,
    )
    loop.stop()
  }

  yield* nginxWorkloads()

  const large = `${root}/large`
  yield* memoryWorkloads(trivet.pid, [
    ['upload', () => streamUp(large, headers, 1024)],
    ['download', () => streamDown(large, headers, 1024)],
  ])
}
