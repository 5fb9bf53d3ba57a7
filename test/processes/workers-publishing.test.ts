import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers([
  'acceptance/publishing/pages-people',
  'acceptance/publishing/widget',
  'acceptance/publishing/oembed',
])
