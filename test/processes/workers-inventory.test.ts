import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers('inventory', ['orders', 'products', 'model', 'tracking'])
