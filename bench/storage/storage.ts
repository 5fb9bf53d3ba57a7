import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { prepare, upload } from './account.ts'
import { bareBytes, fileLoop } from './limits.ts'
import { nginxWorkloads } from './nginx.ts'
import { puts } from './puts.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** Objects through one process, local files, an API key on every request. */
export const storageWorkloads = async function* ({ urls, dataDir, pid }: Trivet): AsyncGenerator<Result> {
  const { headers, root } = await prepare(urls.storage)

  for (const [name, size] of [
    ['4 KiB', 4 * KiB],
    ['1 MiB', MiB],
  ] as const) {
    const url = `${root}/hot-${size}`
    await upload(url, headers, size)
    const bare = await bareBytes(size)
    yield await compare({
      name: `GET ${name}, hot`,
      limit: 'bare node:http, same bytes',
      bar: 0.7,
      subject: async (seconds) => (await load({ url, headers, seconds })).perSecond,
      against: bare.measure,
    })
    bare.stop()
  }

  for (const [name, size, bar] of [
    ['4 KiB', 4 * KiB, 0.5],
    ['1 MiB', MiB, 0.45],
  ] as const) {
    const loop = await fileLoop(join(dataDir, 'loop'), size)
    yield await compare(
      {
        name: `PUT ${name}, durable`,
        limit: 'write, fdatasync, rename, fsync',
        bar,
        subject: (seconds) => puts({ url: root, headers, size, connections: 16, seconds }),
        against: loop.measure,
      },
      3,
    )
    loop.stop()
  }

  yield* nginxWorkloads()

  yield await memory('upload of 512 MiB: peak memory', pid, () => streamUp(`${root}/large`, headers, 512))
  yield await memory('download of 512 MiB: peak memory', pid, () => streamDown(`${root}/large`, headers))
}

const residentMiB = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / KiB

const streamUp = async (url: string, headers: Record<string, string>, mebibytes: number) => {
  const chunk = Buffer.alloc(MiB, 'u')
  const body = async function* () {
    for (let n = 0; n < mebibytes; n++) yield chunk
  }
  const answer = await fetch(url, {
    method: 'PUT',
    headers,
    body: body() as never,
    duplex: 'half',
  } as RequestInit)
  if (!answer.ok) throw new Error(`upload: ${answer.status}`)
}

const streamDown = async (url: string, headers: Record<string, string>) => {
  const answer = await fetch(url, { headers })
  for await (const _ of answer.body as ReadableStream<Uint8Array>);
}

/** How far the process grows while something large passes through it, against the 60 MiB it may. */
const memory = async (name: string, pid: number, work: () => Promise<void>): Promise<Result> => {
  const before = await residentMiB(pid)
  let peak = before
  let over = false
  const watch = (async () => {
    while (!over) {
      peak = Math.max(peak, await residentMiB(pid))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  await work()
  over = true
  await watch
  const growth = Math.max(1, peak - before)
  return { name, limit: '60 MiB (figures are MiB)', bar: 1, ratio: 60 / growth, rate: growth, limitRate: 60 }
}
