import { parseArgs } from 'node:util'
import { eventsWorkloads } from './events/events.ts'
import { freshWorkloads } from './fresh/fresh.ts'
import { inventoryWorkloads } from './inventory/inventory.ts'
import { listsWorkloads } from './inventory/lists.ts'
import { printResult, type Result } from './measure.ts'
import { mixedWorkloads } from './mixed/mixed.ts'
import { peersWorkloads } from './peers/peers.ts'
import { platformWorkloads } from './platform/platform.ts'
import { pagesWorkloads } from './publishing/pages.ts'
import { publishingWorkloads } from './publishing/publishing.ts'
import { compareWith } from './report/baseline.ts'
import { report } from './report/report.ts'
import { baseline, circumstances, type Figures, readFigures, saveFigures } from './report/results.ts'
import { s3Workloads } from './s3/s3.ts'
import { consoleWorkloads } from './storage/console.ts'
import { inlineWorkloads } from './storage/inline.ts'
import { listingWorkloads } from './storage/listing.ts'
import { storageWorkloads } from './storage/storage.ts'
import { startTrivet, type Trivet } from './system.ts'
import { workersWorkloads } from './workers/workers.ts'
import { writesWorkloads } from './writes/writes.ts'

/**
 * Ratios to limits measured in the same run, beside those of the last release: `npm run bench`, or
 * `npm run bench -- platform`. With `--json file` the results are kept in a file; with `--report` they replace those of the
 * same suites in docs/benchmarks.md and its chart.
 */
const suites: Record<string, (trivet: Trivet) => AsyncGenerator<Result>> = {
  peers: peersWorkloads,
  mixed: mixedWorkloads,
  writes: writesWorkloads,
  events: eventsWorkloads,
  fresh: freshWorkloads,
  platform: platformWorkloads,
  workers: workersWorkloads,
  storage: storageWorkloads,
  listing: listingWorkloads,
  inline: inlineWorkloads,
  console: consoleWorkloads,
  s3: s3Workloads,
  publishing: publishingWorkloads,
  pages: pagesWorkloads,
  inventory: inventoryWorkloads,
  lists: listsWorkloads,
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, report: { type: 'boolean', default: false } },
})
const unknown = asked.find((name) => !suites[name])
if (unknown) throw new Error(`There is no suite ${unknown}: choose from ${Object.keys(suites).join(', ')}`)

const compare = compareWith(await readFigures(baseline))
const figures: Figures = { suites: [] }
for (const [name, workloads] of Object.entries(suites)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  const results: Result[] = []
  const trivet = await startTrivet()
  try {
    for await (const result of workloads(trivet)) {
      printResult(result, compare(name, result))
      results.push(result)
    }
  } finally {
    await trivet.stop()
  }
  figures.suites.push({ name, ...(await circumstances()), results })
}
if (values.json) await saveFigures(values.json, figures)
if (values.report) await report(figures)
