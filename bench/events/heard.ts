import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cpuPerWrite } from '../cpu.ts'
import { compare, compareCost, median, type Result } from '../measure.ts'
import { call, startTrivet, type Trivet } from '../system.ts'
import { startReceiver } from './receiver.ts'
import { streamsWorkload } from './streams.ts'

type Company = { base: string; headers: Record<string, string>; tenant: number }

const register = async ({ urls }: Trivet, name: string): Promise<Company> => {
  const base = `${urls.inventory}/api`
  const account = (await call('POST', `${base}/auth/register`, {
    company_name: name, name, email: `${name}@example.com`, password: 'bench-bench',
  })) as { token: string; tenant: { id: number } } // biome-ignore format: one line
  return { base, headers: { authorization: `Bearer ${account.token}` }, tenant: account.tenant.id }
}

let imported = 0
/** Adds products, each of which is an event. */
const importProducts = async ({ base, headers }: Company, count: number) => {
  const lines = Array.from({ length: count }, () => `E-${++imported},Product ${imported},10.00`)
  const answer = await fetch(`${base}/products/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: ['sku,name,base_price', ...lines].join('\n'),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

const addWebhook = ({ base, headers }: Company, url: string) =>
  call('POST', `${base}/webhooks`, { url, types: ['product.created'] }, headers) as Promise<{ id: string }>

const webhooks = 4
const events = 1_500

/** How many deliveries reach a local receiver in a second. */
const deliveriesPerSecond = async (company: Company, receiver: Awaited<ReturnType<typeof startReceiver>>) => {
  const done = receiver.expect(webhooks * events)
  const begun = performance.now()
  await importProducts(company, events)
  await done
  return { requests: webhooks * events, perSecond: (webhooks * events * 1000) / (performance.now() - begun) }
}

/** A webhook whose receiver refuses every connection, and to which a million deliveries are due; it can be switched. */
const addDead = async (trivet: Trivet, company: Company, pending: number) => {
  const { id } = await addWebhook(company, 'http://127.0.0.1:1025/')
  const database = new pg.Client(trivet.database)
  await database.connect()
  await database.query(
    `insert into platform.deliveries (webhook_id, service, event_id, type, subject, due_at, created_at)
     select $1, 'inventory', (select id from platform.events where service = 'inventory' and id is not null limit 1),
       'product.created', 'product/' || n, now(), now() from generate_series(1, $2::int) n`,
    [id, pending],
  )
  // What a million new rows leave behind would otherwise be done while others are measured.
  await database.query('vacuum analyze platform.deliveries')
  await database.query('checkpoint')
  await database.end()
  return (is_active: boolean) =>
    call('PATCH', `${company.base}/webhooks/${id}`, { is_active }, company.headers)
}

const rounds = 3

/** What deliveries to others are like while a million are due to a receiver that is dead. */
const besideDead = async function* (
  trivet: Trivet,
  company: Company,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): AsyncGenerator<Result> {
  const setDead = await addDead(trivet, await register(trivet, 'dead'), 1_000_000)
  const after = (isDead: boolean, measure: () => Promise<number>) => async () => {
    await setDead(isDead)
    return measure()
  }
  const speed = async () => (await deliveriesPerSecond(company, receiver)).perSecond
  const cost = () => cpuPerWrite(trivet.pid, () => deliveriesPerSecond(company, receiver))
  const words = { name: 'the same beside a dead receiver with a million', limit: 'without it' }
  const rate = { ...words, subject: after(true, speed), against: after(false, speed) }
  yield await compare(rate, rounds)
  const processor = { ...words, subject: after(true, cost), against: after(false, cost) }
  yield await compareCost(processor, rounds)
  await setDead(true)
}

const rate = 500
const seconds = 8

/** Milliseconds from the time of an event to its arrival at a stream, at 500 events a second. */
const streamLatency = async ({ base, headers }: Company) => {
  const { id } = (await call(
    'POST',
    `${base}/products`,
    { name: 'S', sku: 'S', base_price: '1.00' },
    headers,
  )) as {
    id: number
  }
  const { warehouses } = (await call('GET', `${base}/warehouses`, undefined, headers)) as {
    warehouses: { id: number }[]
  }
  const latencies: number[] = []
  const req = get(
    `${base}/events?types=stock.changed`,
    { headers: { ...headers, accept: 'text/event-stream' } },
    (res) =>
      res.setEncoding('utf8').on('data', (chunk: string) => {
        const now = Date.now()
        for (const [, at] of chunk.matchAll(/"type":"stock.changed","created_at":"([^"]+)"/g))
          latencies.push(now - Date.parse(at as string))
      }),
  )
  await sleep(500)
  const begun = performance.now()
  const writing: Promise<unknown>[] = []
  // One request writes ten events, so that the driver leaves the processors to what is measured.
  const others = (await call('GET', `${base}/products?limit=20`, undefined, headers)) as {
    products: { sku: string }[]
  }
  const key = (await call(
    'POST',
    `${base}/api-keys`,
    { name: 'k', permissions: ['read', 'write'] },
    headers,
  )) as {
    key: string
  }
  const skus = others.products.slice(0, 10).map(({ sku }) => sku)
  for (let n = 0; n < (rate / skus.length) * seconds; n++) {
    const items = skus.map((sku) => ({ sku, warehouse_id: warehouses[0]?.id, quantity: n + 1 }))
    writing.push(call('POST', `${base}/external/inventory/sync`, items, { 'x-api-key': key.key }))
    await sleep(Math.max(0, begun + ((n + 1) * 1000 * skus.length) / rate - performance.now()))
  }
  await Promise.all(writing)
  await sleep(1_000)
  req.destroy()
  if (latencies.length === 0) throw new Error(`no event of product ${id} came`)
  return median(latencies)
}

/** What is measured once, beside a limit that is a number. */
const beside = (result: Omit<Result, 'ratio'>): Result => ({
  ...result,
  ratio: result.rate / result.limitRate,
})

/** How fast events reach those who listen. */
export const heardWorkloads = async function* (): AsyncGenerator<Result> {
  const trivet = await startTrivet({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
  const receiver = await startReceiver()
  try {
    const company = await register(trivet, 'heard')
    for (let n = 0; n < webhooks; n++) await addWebhook(company, receiver.url)
    await deliveriesPerSecond(company, receiver)
    let alone = 0
    const cost = await cpuPerWrite(trivet.pid, async () => {
      const measured = await deliveriesPerSecond(company, receiver)
      alone = measured.perSecond
      return measured
    })
    yield beside({
      name: 'deliveries to a local receiver',
      limit: '1,000 a second',
      rate: alone,
      limitRate: 1000,
    })
    // 1,000 a second on two cores leave 2,000 µs for each.
    yield beside({
      kind: 'cost',
      name: 'a delivery, with its event',
      limit: '1,000 a second on 2 cores',
      rate: cost,
      limitRate: 2000,
    })
    yield* besideDead(trivet, company, receiver)
    const streamed = await register(trivet, 'streamed')
    await importProducts(streamed, 10)
    const name = `median latency of a stream at ${rate} events/s`
    yield beside({ kind: 'time', name, limit: '50 ms', rate: await streamLatency(streamed), limitRate: 50 })
    yield await streamsWorkload(trivet, streamed.base, streamed.headers)
  } finally {
    receiver.stop()
    await trivet.stop()
  }
}
