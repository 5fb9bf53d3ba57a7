import { cpuPerWrite } from '../cpu.ts'
import { load } from '../load.ts'
import { median, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'
import { type Case, openCases, rowCount } from './rows.ts'

/** The first fifteen seconds. */
const rounds = 5
const seconds = 3

const untilServed = async ({ url, headers = {} }: Case['request']) => {
  for (let attempt = 0; attempt < 50; attempt++) {
    const isServed = await call('GET', url, undefined, headers).then(() => true, () => false) // biome-ignore format: one line
    if (isServed) return
  }
  throw new Error(`${url} is not served again`)
}

/**
 * The first seconds after a bulk load, on connections that have planned every statement for empty tables, against the
 * same after a vacuum, an analysis and a reconnect.
 */
export const freshWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const { cases, vacuumAnalyze, reconnect, end } = await openCases(trivet)
  const cost = async (request: Case['request']) => {
    const costs: number[] = []
    for (let round = 0; round < rounds; round++)
      costs.push(await cpuPerWrite(trivet.pid, () => load({ ...request, connections: 8, seconds })))
    return median(costs)
  }
  for (const { name, request, fill } of cases) {
    await cost(request)
    await fill()
    // The first request counts what was loaded, and the server keeps that.
    await untilServed(request)
    const rate = await cost(request)
    await vacuumAnalyze()
    await reconnect()
    await untilServed(request)
    const limitRate = await cost(request)
    yield {
      kind: 'cost',
      name,
      limit: `later; after ${rowCount.toLocaleString('en')} rows`,
      ratio: rate / limitRate,
      rate,
      limitRate,
    }
  }
  await end()
}
