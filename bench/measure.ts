/** A rate in operations per second, measured for about `seconds`. */
export type Measure = (seconds: number) => Promise<number>

export type Workload = { name: string; limit: string; bar: number; subject: Measure; against: Measure }

export type Result = {
  name: string
  limit: string
  bar: number
  ratio: number
  rate: number
  limitRate: number
}

const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** Subject and limit take turns, so that whatever else the machine does meets both alike. */
export const compare = async (
  { name, limit, bar, subject, against }: Workload,
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
    bar,
    ratio: median(pairs.map(([a, b]) => a / b)),
    rate: median(pairs.map(([a]) => a)),
    limitRate: median(pairs.map(([, b]) => b)),
  }
}

const pad = (text: string | number, width: number) => String(text).padStart(width)

export const printResult = ({ name, limit, bar, ratio, rate, limitRate }: Result) =>
  process.stdout.write(
    `${name.padEnd(34)}${pad(Math.round(rate), 9)}/s  ${limit.padEnd(34)}${pad(Math.round(limitRate), 9)}/s  ` +
      `ratio ${ratio.toFixed(2)}  bar ${bar.toFixed(2)}  ${ratio >= bar ? 'met' : 'MISSED'}\n`,
  )
