import { readFile, writeFile } from 'node:fs/promises'
import { compareWith } from './baseline.ts'
import { chartOf } from './chart.ts'
import { baseline, type Figures, readFigures, saveFigures } from './results.ts'
import { fillIn } from './tables.ts'

const document = 'docs/benchmarks.md'
const chart = 'docs/benchmarks.svg'
const figures = 'docs/benchmarks.json'

const render = async (all: Figures) => {
  await writeFile(
    document,
    fillIn(await readFile(document, 'utf8'), all, compareWith(await readFigures(baseline))),
  )
  await writeFile(chart, chartOf(all))
}

/** Keeps figures in `docs/`, as JSON, as tables and as a chart. Suites that were not measured again keep theirs. */
export const report = async ({ suites: measured }: Figures) => {
  const { suites: known } = await readFigures(figures)
  const news = new Map(measured.map((suite) => [suite.name, suite]))
  const kept = known.map((suite) => news.get(suite.name) ?? suite)
  const added = measured.filter(({ name }) => !known.some((suite) => suite.name === name))
  const all = { suites: [...kept, ...added] }
  await saveFigures(figures, all)
  await render(all)
}

// On its own it draws the last figures again: `node bench/report/report.ts`.
if (import.meta.main) await render(await readFigures(figures))
