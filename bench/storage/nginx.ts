import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { handOver, startNginx } from '#test/support/nginx.ts'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { startTrivet } from '../system.ts'
import { prepare, upload } from './account.ts'

const MiB = 1024 * 1024

/** Many objects, asked for in turn, so that none of them is in the memory of the process. */
const inTurn = (urls: string[], headers: Record<string, string>, connections: number) => {
  let next = 0
  return async (seconds: number) => {
    const share = seconds / 3
    let sum = 0
    for (let round = 0; round < 3; round++) {
      const url = urls[next++ % urls.length] as string
      sum += (await load({ url, headers, connections, seconds: share })).perSecond
    }
    return sum / 3
  }
}

/** Files through Trivet and through nginx in front of it, against nginx alone with the same bytes. */
export const nginxWorkloads = async function* (): AsyncGenerator<Result> {
  const trivet = await startTrivet({ STORAGE_ACCEL_PREFIX: '/blobs', TRUST_PROXY: '1', ALLOW_HTTP: 'on' })
  const plainTrivet = await startTrivet()
  const site = join(trivet.dataDir, 'site')
  await mkdir(site)
  await chmod(site, 0o755)
  for (const size of [MiB, 64 * MiB]) await writeFile(join(site, `${size}`), Buffer.alloc(size, 'b'))
  const nginx = await startNginx(
    `${handOver(trivet.urls.storage, '/blobs', join(trivet.dataDir, 'blobs'))}
    location /site/ { alias ${site}/; }`,
  )
  const alone = (size: number, connections: number) => async (seconds: number) =>
    (await load({ url: `${nginx.url}/site/${size}`, connections, seconds })).perSecond
  try {
    const front = await prepare(trivet)
    await upload(`${front.root}/large`, front.headers, MiB)
    const { pathname } = new URL(`${front.root}/large`)
    yield await compare(
      {
        name: 'GET 1 MiB, handed over to nginx',
        limit: 'nginx alone',
        subject: async (seconds) =>
          (await load({ url: nginx.url + pathname, headers: front.headers, seconds })).perSecond,
        against: alone(MiB, 32),
      },
      3,
    )
    const { root, headers } = await prepare(plainTrivet)
    for (const [name, size, connections] of [
      ['1 MiB plus one, never in memory', MiB + 1, 32],
      ['64 MiB', 64 * MiB, 4],
    ] as const) {
      const urls = Array.from({ length: 3 }, (_, n) => `${root}/${size}-${n}`)
      for (const url of urls) await upload(url, headers, size)
      yield await compare(
        {
          name: `GET ${name}`,
          limit: 'nginx alone',
          subject: inTurn(urls, headers, connections),
          against: alone(size > MiB + 1 ? 64 * MiB : MiB, connections),
        },
        3,
        3,
      )
    }
  } finally {
    await nginx.stop()
    await plainTrivet.stop()
    await trivet.stop()
  }
}
