import { setTimeout as sleep } from 'node:timers/promises'
import { inventoryWorkload } from './inventory.ts'
import { createOracle } from './oracle.ts'
import { publishingWorkload } from './publishing.ts'
import type { Random } from './random.ts'
import { storageWorkload } from './storage.ts'
import type { Answer, Traffic } from './traffic.ts'

export type Workload = {
  /** They write, each of them one request after the other. */
  workers: (() => Promise<Answer>)[]
  /** One read that needs the database. */
  read(node: number): Promise<Answer>
  /** The look at everything that was written. */
  check(): Promise<void>
}

/** Readers do not wait for each other, so that requests also come while all workers wait for an answer. */
const readEveryMs = 100

/** Load on all three services in tenants of its own, and the oracle that knows what must be there. */
export const openWorkload = async (traffic: Traffic, random: Random) => {
  const oracle = createOracle()
  const parts = await Promise.all(
    [storageWorkload, publishingWorkload, inventoryWorkload].map((open) => open(traffic, oracle, random)),
  )
  return {
    verdict: oracle.verdict,
    /** Begins the load; the result ends it. */
    start() {
      let isRunning = true
      const run = async (act: () => Promise<Answer>) => {
        while (isRunning) if ((await act()).outcome !== 'done') await sleep(100)
      }
      const readAll = async () => {
        const answers: Promise<Answer>[] = []
        for (let n = 0; isRunning; n++, await sleep(readEveryMs)) answers.push(parts[n % 3]!.read(n))
        await Promise.all(answers)
      }
      const all = Promise.all([readAll(), ...parts.flatMap(({ workers }) => workers.map(run))])
      return () => {
        isRunning = false
        return all
      }
    },
    async check() {
      const results = await Promise.allSettled(parts.map(({ check }) => check()))
      const problems = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      if (problems.length > 0) throw new Error(problems.join('; '))
    },
  }
}
