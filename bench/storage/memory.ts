import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { Result } from '../measure.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** The kernel's own record of how large a process has ever been. */
const peakMiB = async (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / KiB

/** `frame`: what is sent instead of each MiB, and behind the last one. */
export const streamUp = async (
  url: string,
  headers: Record<string, string>,
  mebibytes: number,
  { chunk, ending } = { chunk: Buffer.alloc(MiB, 'u'), ending: Buffer.alloc(0) },
) => {
  const length = mebibytes * chunk.length + ending.length
  const upload = request(url, { method: 'PUT', headers: { ...headers, 'content-length': length } })
  const answered = once(upload, 'response')
  for (let n = 0; n < mebibytes; n++) if (!upload.write(chunk)) await once(upload, 'drain')
  upload.end(ending)
  const [answer] = await answered
  answer.resume()
  if (answer.statusCode >= 300) throw new Error(`upload: ${answer.statusCode}`)
}

export const streamDown = async (url: string, headers: Record<string, string>, mebibytes: number) => {
  const [answer] = await once(request(url, { headers }).end(), 'response')
  let received = 0
  for await (const chunk of answer) received += chunk.length
  if (received !== mebibytes * MiB) throw new Error(`download: ${received} bytes`)
}

type Way = readonly [name: string, run: () => Promise<void>]

/** How far the process grows at its peak while 1 GiB passes through it, against the 60 MiB it may. */
export const memoryWorkloads = async function* (pid: number, ways: readonly Way[]): AsyncGenerator<Result> {
  for (const [name, run] of ways) {
    // The record begins anew, with what the process holds now.
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    const before = await peakMiB(pid)
    await run()
    const growth = Math.max(1, (await peakMiB(pid)) - before)
    yield {
      kind: 'memory',
      name: `${name} of 1 GiB: growth at its peak`,
      limit: 'at most',
      ratio: growth / 60,
      rate: growth,
      limitRate: 60,
    }
  }
}
