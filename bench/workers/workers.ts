import { readFile } from 'node:fs/promises'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { call, startTrivet, type Trivet } from '../system.ts'

const workers = 2
/** 90 MiB, in kB as the kernel counts. */
const memoryBar = 90 * 1024

/**
 * Two workers beside one process, each with a database of its own, both idle while the other is measured; and the memory
 * that a worker adds. On two cores the load generator competes with the workers, so they cannot be twice as fast.
 */
export const workersWorkloads = async function* (alone: Trivet): AsyncGenerator<Result> {
  const together = await startTrivet({ TRIVET_WORKERS: String(workers) })
  try {
    yield await memory(together)
    const [one, several] = [await prepare(alone, 1), await prepare(together, workers)]
    for (const name of ['list', 'create'] as const)
      yield await compare({
        name: `${describe[name]}, ${workers} workers`,
        limit: 'the same, one process',
        bar: 1,
        subject: several[name],
        against: one[name],
      })
  } finally {
    await together.stop()
  }
}

const describe = { list: 'GET /buckets (20, API key)', create: 'POST /api/posts (8 accounts)' }

/** What is measured: a read that queries the database each time, and a write. */
const prepare = async ({ urls }: Trivet, processes: number) => {
  const account = (await call('POST', `${urls.storage}/auth/register`, {
    organizationName: 'Bench', organizationSlug: 'bench', fullName: 'Bench', email: 'bench@example.com', password: 'bench-bench',
  })) as { token: string } // biome-ignore format: one line
  const authorization = `Bearer ${account.token}`
  const { key } = (await call('POST', `${urls.storage}/auth/api-keys`, {}, { authorization })) as {
    key: string
  }
  const headers = { 'x-api-key': key }
  for (let n = 0; n < 20; n++) await call('POST', `${urls.storage}/buckets`, { name: `bucket-${n}` }, headers)
  const writers: { headers: { authorization: string } }[] = []
  for (let n = 0; n < 8; n++) {
    const { data } = (await call('POST', `${urls.publishing}/api/auth/register`, {
      email: `w${n}@example.com`, password: 'bench-bench', handle: `writer_${n}`, username: `Writer ${n}`,
    })) as { data: { accessToken: string } } // biome-ignore format: one line
    writers.push({ headers: { authorization: `Bearer ${data.accessToken}` } })
  }
  const body = JSON.stringify({ content: 'a post of the benchmark' })
  const url = `${urls.publishing}/api/posts`
  const list = (seconds: number) => load({ url: `${urls.storage}/buckets`, headers, seconds })
  const create = (seconds: number) =>
    load({ method: 'POST', url, body, variants: writers, connections: 16, seconds })
  for (const run of [list, create]) await warmUp(run, processes)
  return {
    list: async (seconds: number) => (await list(seconds)).perSecond,
    create: async (seconds: number) => (await create(seconds)).perSecond,
  }
}

/** Code that runs for the first time is interpreted, and each process has to get beyond that. */
const warmUp = async (run: (seconds: number) => Promise<{ requests: number }>, processes: number) => {
  for (let sent = 0; sent < warmUpRequests * processes; ) sent += (await run(1)).requests
}
const warmUpRequests = 5_000

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
    bar: 1,
    ratio: largest / memoryBar,
    rate: largest / 1024,
    limitRate: memoryBar / 1024,
  }
}

const privateMemory = async (pid: string) => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].reduce(
    (sum, [, kB]) => sum + Number(kB),
    0,
  )
}
