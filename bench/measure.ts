/** A rate in operations per second, measured for about `seconds`. */
export type Measure = (seconds: number) => Promise<number>

export type Workload = { name: string; limit: string; subject: Measure; against: Measure }

export type Result = {
  /** `cost`: CPU time per request; `memory`: MiB; `time`: milliseconds. Of these, less is better. Else a rate. */
  kind?: 'cost' | 'memory' | 'time'
  name: string
  limit: string
  ratio: number
  rate: number
  limitRate: number
}

export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** Subject and limit take turns, so that whatever else the machine does meets both alike. */
export const compare = async (
  { name, limit, subject, against }: Workload,
  rounds = 5,
  seconds = 1.5,
): Promise<Result> => {
  await subject(1)
  await against(1)
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round++) pairs.push([await subject(seconds), await against(seconds)])
  return {
    name,
    limit,
    ratio: median(pairs.map(([a, b]) => a / b)),
    rate: median(pairs.map(([a]) => a)),
    limitRate: median(pairs.map(([, b]) => b)),
  }
}

/** CPU microseconds per request, measured for about `seconds`. */
type MeasureCost = (seconds: number) => Promise<number>

type Cost = { name: string; limit: string; subject: MeasureCost; against: MeasureCost }

/** CPU time per request: the steadiest figure on a machine that does other things as well. */
export const compareCost = async (cost: Cost, rounds = 5, seconds = 2): Promise<Result> => {
  // Code is interpreted at first and costs several times as much; it takes about so long until all of it is compiled.
  await cost.subject(warmUpSeconds)
  return { ...(await compare(cost, rounds, seconds)), kind: 'cost' }
}
const warmUpSeconds = 15

const pad = (text: string | number, width: number) => String(text).padStart(width)

/** Prints a result beside its baseline, if there is one. */
export const printResult = (result: Result, baseline?: { ratio: number; verdict: string }) => {
  const { kind, name, limit, ratio, rate, limitRate } = result
  const unit = { cost: ' µs CPU', memory: ' MiB', time: ' ms', rate: '/s' }[kind ?? 'rate']
  const figure = (value: number) => pad(kind ? value.toFixed(1) : Math.round(value), 9) + unit
  const before = baseline ? `baseline ${baseline.ratio.toFixed(2)}  ${baseline.verdict}` : ''
  process.stdout.write(
    `${name.padEnd(40)}${figure(rate)}  ${limit.padEnd(34)}${figure(limitRate)}  ` +
      `ratio ${ratio.toFixed(2)}  ${before}\n`,
  )
}
