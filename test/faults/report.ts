import type { Round } from './round.ts'

/** The reasons for which a round fails, by the heading of their column. */
const failures = {
  died: 'node died',
  lost: 'lost',
  doubled: 'doubled',
  halfDone: 'half done',
  miscounted: 'miscounted',
  wrong: 'wrong answers',
} as const
type Kind = keyof typeof failures
const kinds = Object.keys(failures) as Kind[]
const shown = 5

export const hasFailed = (round: Round) =>
  round.readyMs === null || kinds.some((kind) => round[kind].length > 0)

/** Prints a line for a round, followed by its problems. */
export const roundText = (round: Round) => {
  const ready = round.readyMs === null ? 'never ready again' : `ready after ${seconds(round.readyMs)} s`
  const head = `${round.topology}, ${round.fault} (${round.course}): ${ready}, slowest answer ${seconds(round.slowestMs)} s, ${round.acknowledged} acknowledged, ${round.unknown} unknown`
  if (!hasFailed(round)) return head
  const details = kinds.flatMap((kind) => section(failures[kind], round[kind]))
  return [head, ...details, ...section('logged', [...new Set(round.log.map(briefly))])].join('\n')
}

/** Shortens a stack to its first line in our code. The JSON file has all of it. */
const briefly = (text: string) => text.split('\n').slice(0, 3).join('\n')

const section = (title: string, all: string[]) => [
  ...all.slice(0, shown).map((text) => `  ${title}: ${text.replaceAll('\n', '\n    ')}`),
  ...(all.length > shown ? [`  ${title}: ${all.length - shown} more`] : []),
]

const seconds = (ms: number) => (ms / 1000).toFixed(1)

const columns = [
  'fault',
  'count',
  'node died',
  'slowest ready',
  'slowest answer',
  'acknowledged',
  'unknown',
  ...kinds.slice(1).map((kind) => failures[kind]),
]

const rowOf = (name: string, rounds: Round[]) => {
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0)
  const slowest = rounds.some(({ readyMs }) => readyMs === null)
    ? 'never'
    : `${seconds(Math.max(0, ...rounds.map(({ readyMs }) => readyMs ?? 0)))} s`
  return [
    name,
    rounds.length,
    sum(({ died }) => died.length),
    slowest,
    `${seconds(Math.max(0, ...rounds.map(({ slowestMs }) => slowestMs)))} s`,
    sum(({ acknowledged }) => acknowledged),
    sum(({ unknown }) => unknown),
    ...kinds.slice(1).map((kind) => sum((round) => round[kind].length)),
  ].map(String)
}

/** Prints a table with a row for each fault and one for the total. */
export const tableText = (rounds: Round[]) => {
  const names = [...new Set(rounds.map(({ fault }) => fault))].sort()
  const rows = [
    columns,
    ...names.map((name) =>
      rowOf(
        name,
        rounds.filter(({ fault }) => fault === name),
      ),
    ),
    rowOf('all', rounds),
  ]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join('  '),
    )
    .join('\n')
}
