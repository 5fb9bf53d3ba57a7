import type { Result } from '../measure.ts'
import type { Figures } from './results.ts'

/** How many times worse a ratio may be: those of one commit vary by nearly as much on a busy machine. */
const tolerance = 1.25

/** Less memory than this part of what it is compared with is mostly chance. */
const leastMemory = 0.25

export type Comparison = { ratio: number; verdict: string }
/** Finds what the ratio of a result was in the baseline, unless that has no such result. */
export type Compare = (suite: string, result: Result) => Comparison | undefined

const keyOf = (suite: string, { kind, name, limit }: Result) => JSON.stringify([suite, kind, name, limit])

const timesWorse = ({ kind, ratio }: Result, before: number) => {
  if (!kind) return before / ratio
  const least = kind === 'memory' ? leastMemory : 0
  return Math.max(ratio, least) / Math.max(before, least)
}

const verdictOn = (result: Result, before: number) => {
  if (timesWorse(result, before) <= tolerance) return ''
  return result.kind === 'memory' ? 'more than the baseline' : 'slower than the baseline'
}

/** Compares with the results of the last release: an alarm if something became slower, not a target. */
export const compareWith = ({ suites }: Figures): Compare => {
  const known = new Map(
    suites.flatMap(({ name, results }) => results.map((result) => [keyOf(name, result), result.ratio])),
  )
  return (suite, result) => {
    const ratio = known.get(keyOf(suite, result))
    return ratio === undefined ? undefined : { ratio, verdict: verdictOn(result, ratio) }
  }
}
