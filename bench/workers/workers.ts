import { readFile } from 'node:fs/promises'
import { load, type Request } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { prepare, uploads } from '../storage/account.ts'
import { call, startTrivet, type Trivet } from '../system.ts'
import { inventoryRequests } from '../writes/inventory.ts'
import { publishingRequests } from '../writes/publishing.ts'

const workers = 2
/** 90 MiB, in kB as the kernel counts. */
const expectedMemory = 90 * 1024

/**
 * Two workers beside one process, each with a database of its own, both idle while the other is measured; and the memory
 * that a worker adds. On two cores the load generator competes with the workers, so they cannot be twice as fast.
 */
export const workersWorkloads = async function* (alone: Trivet): AsyncGenerator<Result> {
  const together = await startTrivet({ TRIVET_WORKERS: String(workers) })
  try {
    yield await memory(together)
    const [one, several] = [await requestsOf(alone), await requestsOf(together)]
    for (const [n, { name, variants }] of several.entries()) {
      const subject = sending(variants)
      const against = sending(one[n]!.variants)
      await warmUp(subject, workers)
      await warmUp(against, 1)
      yield await compare({
        name: `${name}, ${workers} workers`,
        limit: 'the same, one process',
        subject: async (seconds) => (await subject(seconds)).perSecond,
        against: async (seconds) => (await against(seconds)).perSecond,
      })
    }
  } finally {
    await together.stop()
  }
}

/** What is measured: a read that queries the database each time, and writes of each service. */
const requestsOf = async (trivet: Trivet): Promise<{ name: string; variants: Request[] }[]> => {
  const { storage } = trivet.urls
  const { headers, root } = await prepare(trivet, 'workers')
  for (let n = 1; n < 20; n++) await call('POST', `${storage}/buckets`, { name: `bucket-${n}` }, headers)
  return [
    { name: 'list of 20 buckets', variants: [{ url: `${storage}/buckets`, headers }] },
    { name: 'PUT 4 KiB', variants: [uploads(root, headers, 4 * 1024)] },
    { name: 'adjust stock', variants: (await inventoryRequests(trivet)).adjust },
    { name: 'post, 8 accounts', variants: (await publishingRequests(trivet)).ofAll },
  ]
}

const sending = (variants: Request[]) => (seconds: number) =>
  load({ url: variants[0]!.url, variants, connections: 16, seconds })

/** Code is interpreted at first. It takes about so many requests until all of it is compiled, in each process. */
const warmUp = async (run: (seconds: number) => Promise<{ requests: number }>, processes: number) => {
  for (let sent = 0; sent < warmUpRequests * processes; ) sent += (await run(1)).requests
}
const warmUpRequests = 20_000

/**
 * The memory that belongs to one worker alone. The program and its libraries are in memory once for all processes, so they
 * are not counted. Measured after the start: under load the caches and the heap grow.
 */
const memory = async ({ pid }: Trivet): Promise<Result> => {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  const sizes: number[] = []
  for (const child of children)
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('main.ts'))
      sizes.push(await privateMemory(child))
  const largest = Math.max(...sizes)
  return {
    kind: 'memory',
    name: 'private memory of a worker after start',
    limit: 'at most',
    ratio: largest / expectedMemory,
    rate: largest / 1024,
    limitRate: expectedMemory / 1024,
  }
}

const privateMemory = async (pid: string) => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].reduce(
    (sum, [, kB]) => sum + Number(kB),
    0,
  )
}
