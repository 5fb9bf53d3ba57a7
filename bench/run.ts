import { inventoryWorkloads } from './inventory/inventory.ts'
import { printResult, type Result } from './measure.ts'
import { mixedWorkloads } from './mixed/mixed.ts'
import { platformWorkloads } from './platform/platform.ts'
import { pagesWorkloads } from './publishing/pages.ts'
import { publishingWorkloads } from './publishing/publishing.ts'
import { inlineWorkloads } from './storage/inline.ts'
import { listingWorkloads } from './storage/listing.ts'
import { storageWorkloads } from './storage/storage.ts'
import { startTrivet, type Trivet } from './system.ts'
import { workersWorkloads } from './workers/workers.ts'
import { writesWorkloads } from './writes/writes.ts'

/** Ratios to limits measured in the same run: `npm run bench`, or `npm run bench -- platform`. */
const suites: Record<string, (trivet: Trivet) => AsyncGenerator<Result>> = {
  mixed: mixedWorkloads,
  writes: writesWorkloads,
  platform: platformWorkloads,
  workers: workersWorkloads,
  storage: storageWorkloads,
  listing: listingWorkloads,
  inline: inlineWorkloads,
  publishing: publishingWorkloads,
  pages: pagesWorkloads,
  inventory: inventoryWorkloads,
}

const asked = process.argv.slice(2)
for (const [name, workloads] of Object.entries(suites)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  const trivet = await startTrivet()
  try {
    for await (const result of workloads(trivet)) printResult(result)
  } finally {
    await trivet.stop()
  }
}
