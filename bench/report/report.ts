import { readFile, writeFile } from 'node:fs/promises'
import { chartOf } from './chart.ts'
import { type Run, readRun, saveRun } from './results.ts'
import { fillIn } from './tables.ts'

const document = 'docs/benchmarks.md'
const chart = 'docs/benchmarks.svg'
const figures = 'docs/benchmarks.json'

const render = async (run: Run) => {
  await writeFile(document, fillIn(await readFile(document, 'utf8'), run))
  await writeFile(chart, chartOf(run))
}

/** Keeps the figures of a run in `docs/`, as JSON, as tables and as a chart. */
export const report = async (run: Run) => {
  await saveRun(figures, run)
  await render(run)
}

// On its own it draws the last figures again: `node bench/report/report.ts`.
if (import.meta.main) await render(await readRun(figures))
