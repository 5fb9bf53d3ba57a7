import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers([
  'acceptance/storage/objects',
  'acceptance/storage/policies-by-object',
  'acceptance/storage/policy-rules',
  'acceptance/storage/granted-repeats',
])
