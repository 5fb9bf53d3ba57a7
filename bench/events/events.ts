import type { Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { heardWorkloads } from './heard.ts'
import { unheardWorkloads } from './unheard.ts'

/** What events cost, and how fast they arrive. */
export const eventsWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  yield* heardWorkloads()
  yield* unheardWorkloads(trivet)
}
