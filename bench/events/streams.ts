import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'

const streams = 1_000
const streamsOfKey = 50
const eachMiB = 64 / 1024

const residentMiB = async (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** What 1,000 open streams take of the memory of the server, and whether each gets an event. */
export const streamsWorkload = async (
  trivet: Trivet,
  base: string,
  headers: Record<string, string>,
): Promise<Result> => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  let received = 0
  // An account has 50 streams.
  const keys: string[] = []
  for (let n = 0; n < streams / streamsOfKey; n++) {
    const { key } = (await call(
      'POST',
      `${base}/api-keys`,
      { name: `k${n}`, permissions: ['read'] },
      headers,
    )) as {
      key: string
    }
    keys.push(key)
  }
  const open = (key: string) =>
    new Promise<void>((resolve, reject) => {
      get(
        `${base}/external/events?types=product.created`,
        { agent, headers: { 'x-api-key': key, accept: 'text/event-stream' } },
        (res) => {
          if (res.statusCode !== 200) reject(new Error(`a stream was refused with ${res.statusCode}`))
          res.on('data', (chunk: Buffer) => {
            if (chunk.includes('event: product.created')) received++
          })
          resolve()
        },
      ).on('error', reject)
    })
  await sleep(2_000)
  const before = await residentMiB(trivet.pid)
  for (const key of keys) await Promise.all(Array.from({ length: streamsOfKey }, () => open(key)))
  await call('POST', `${base}/products`, { name: 'S', sku: 'STREAMED', base_price: '1.00' }, headers)
  for (let waited = 0; received < streams && waited < 100; waited++) await sleep(100)
  if (received !== streams) throw new Error(`${received} of ${streams} streams received the event`)
  await sleep(2_000)
  const used = (await residentMiB(trivet.pid)) - before
  agent.destroy()
  return {
    kind: 'memory',
    name: '1,000 open streams',
    limit: '64 KiB each',
    rate: used,
    limitRate: streams * eachMiB,
    ratio: used / (streams * eachMiB),
  }
}
