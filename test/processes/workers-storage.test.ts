import { runThroughWorkers } from './fixtures/through-workers.ts'

await runThroughWorkers('storage', ['objects', 'policies-by-object', 'policy-rules', 'granted-repeats'])
