import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers('publishing', ['refresh-races', 'pages-people', 'widget', 'oembed'])
