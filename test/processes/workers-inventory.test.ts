import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers([
  'acceptance/inventory/orders',
  'acceptance/inventory/products',
  'acceptance/inventory/tracking',
  'long/inventory-model',
])
