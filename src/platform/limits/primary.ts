import type { Channel } from '#platform/workers/channel.ts'
import type { Hit, Usage } from './limit.ts'
import { memoryCounter } from './memory.ts'

const topic = 'hit'

type Sent = [name: string, max: number, windowSeconds: number, key: string, now: number, count: number]
type Reply = [allowed: boolean, used: number, oldest: number, blocker: number]

/** Counts hits in the primary process, so that limits are exact over all workers. */
export const primaryCounter = (primary: Channel) => ({
  async hit({ limit: { name, max, windowSeconds }, key, now, count }: Hit): Promise<Usage> {
    const sent: Sent = [name, max, windowSeconds, key, now, count]
    const [allowed, used, oldest, blocker] = await primary.ask<Reply>(topic, sent)
    return { allowed, used, oldest, blocker }
  },
})

/** The counters themselves, in the primary process. */
export const countHits = () => {
  const counter = memoryCounter()
  return (worker: Channel) =>
    worker.on(topic, ([name, max, windowSeconds, key, now, count]: Sent): Reply => {
      const { allowed, used, oldest, blocker } = counter.hit({
        limit: { name, max, windowSeconds },
        key,
        now,
        count,
      })
      return [allowed, used, oldest, blocker]
    })
}
