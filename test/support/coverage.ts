import { relative } from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'

export type Coverage = EventData.TestCoverage['summary']
type Count = { total: number; covered: number }

/** Percent covered by `npm test`: a little below the current value, so that a change without tests is noticed. */
const floor = { lines: 94, functions: 92 }

export const coverageOptions = {
  coverage: true,
  coverageIncludeGlobs: 'src/**/*.ts',
  coverageExcludeGlobs: '**/*.test.ts',
} as const

/** Removes the runner's own report, which has a line for each of hundreds of files. */
export async function* withoutCoverage(events: AsyncIterable<TestEvent>) {
  for await (const event of events) if (event.type !== 'test:coverage') yield event
}

/** Prints the coverage of each part of the source. A run of all tests fails below the floor. */
export const reportCoverage = ({ files, totals, workingDirectory }: Coverage, whole: boolean) => {
  const parts = Map.groupBy(
    files,
    ({ path }) => /^src\/([^/.]+)/.exec(relative(workingDirectory, path))?.[1] ?? '',
  )
  console.log('\ncoverage         lines  functions')
  for (const part of [...parts.keys()].sort()) {
    const own = parts.get(part) ?? []
    show(
      part,
      sum(own.map((file) => ({ total: file.totalLineCount, covered: file.coveredLineCount }))),
      sum(own.map((file) => ({ total: file.totalFunctionCount, covered: file.coveredFunctionCount }))),
    )
  }
  const lines = { total: totals.totalLineCount, covered: totals.coveredLineCount }
  const functions = { total: totals.totalFunctionCount, covered: totals.coveredFunctionCount }
  show('all', lines, functions)
  for (const [what, count, least] of [
    ['lines', lines, floor.lines],
    ['functions', functions, floor.functions],
  ] as const) {
    if (!whole || percent(count) >= least) continue
    console.error(`${percent(count).toFixed(1)} % of the ${what} are covered; the floor is ${least} %`)
    process.exitCode = 1
  }
  if (process.exitCode === 1) showLeastCovered(files, workingDirectory)
}

/** Where tests are missing. */
const showLeastCovered = (files: Coverage['files'], workingDirectory: string) => {
  const missing = ({ totalFunctionCount, coveredFunctionCount }: Coverage['files'][number]) =>
    totalFunctionCount - coveredFunctionCount
  console.error('\nMost functions without a test:')
  for (const file of files.toSorted((a, b) => missing(b) - missing(a)).slice(0, 15))
    console.error(`${String(missing(file)).padStart(4)} of ${relative(workingDirectory, file.path)}`)
}

const sum = (counts: Count[]): Count => ({
  total: counts.reduce((all, { total }) => all + total, 0),
  covered: counts.reduce((all, { covered }) => all + covered, 0),
})

const percent = ({ total, covered }: Count) => (total === 0 ? 100 : (100 * covered) / total)

const show = (part: string, lines: Count, functions: Count) =>
  console.log(
    `${part.padEnd(14)} ${percent(lines).toFixed(1).padStart(7)}  ${percent(functions).toFixed(1).padStart(9)}`,
  )
