import type { Result } from '../measure.ts'
import type { Compare, Comparison } from './baseline.ts'
import type { Circumstances, Figures } from './results.ts'

const whole = (value: number) => Math.round(value).toLocaleString('en')
const units = { cost: ' µs CPU', memory: ' MiB', time: ' ms', rate: '/s' }
const figure = ({ kind }: Result, value: number) => whole(value) + units[kind ?? 'rate']

const baselineOf = (baseline: Comparison | undefined) => {
  if (!baseline) return ''
  return baseline.ratio.toFixed(2) + (baseline.verdict && `, **${baseline.verdict}**`)
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

const tableOf = (suite: string, results: Result[], compare: Compare) => [
  row(['', 'Trivet', 'beside', 'its figure', 'ratio', 'baseline']),
  '|---|--:|---|--:|--:|---|',
  ...results.map((result) =>
    row([
      result.name,
      figure(result, result.rate),
      result.limit,
      figure(result, result.limitRate),
      result.ratio.toFixed(2),
      baselineOf(compare(suite, result)),
    ]),
  ),
]

const measured = ({ date, commit, machine, versions }: Circumstances) =>
  `${date}, commit ${commit}: ${machine}; Trivet ${versions.trivet}, Node ${versions.node}, PostgreSQL ${versions.postgresql}.`

/** The part of the document that is filled in. */
const tablesOf = ({ suites }: Figures, compare: Compare) => {
  const names = suites.map(({ name }) => name).join(' ')
  return [
    'The database is the embedded one, and the load generator runs on the same machine.',
    '',
    '```sh',
    `npm run bench -- ${names} --report`,
    '```',
    ...suites.flatMap(({ name, results, ...rest }) => [
      '',
      `### ${name}`,
      '',
      measured(rest),
      '',
      ...tableOf(name, results, compare),
    ]),
  ].join('\n')
}

const begin = '<!-- figures: written by `npm run bench -- … --report` -->'
const end = '<!-- end of figures -->'

/** Replaces what is between the markers of the document. */
export const fillIn = (document: string, figures: Figures, compare: Compare) => {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error('The markers of the figures are missing')
  return `${document.slice(0, from)}${begin}\n\n${tablesOf(figures, compare)}\n\n${document.slice(to)}`
}
