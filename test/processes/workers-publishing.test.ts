import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers('publishing', ['pages-people', 'widget', 'oembed'])
