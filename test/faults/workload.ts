import { setTimeout as sleep } from 'node:timers/promises'
import { inventoryWorkload } from './inventory.ts'
import { createOracle } from './oracle.ts'
import { publishingWorkload } from './publishing.ts'
import type { Random } from './random.ts'
import { storageWorkload } from './storage.ts'
import type { Answer, Traffic } from './traffic.ts'

export type Workload = {
  /** Writers, each of which sends one request at a time. */
  workers: (() => Promise<Answer>)[]
  /** A read that needs the database. */
  read(node: number): Promise<Answer>
  /** Checks everything that was written. */
  check(): Promise<void>
}

/** Reads are sent at a fixed rate, so that there are requests even while all workers wait for responses. */
const readEveryMs = 100

/** Load on all three services in new tenants, and the oracle that knows what must be stored. */
export const openWorkload = async (traffic: Traffic, random: Random) => {
  const oracle = createOracle()
  const parts = await Promise.all(
    [storageWorkload, publishingWorkload, inventoryWorkload].map((open) => open(traffic, oracle, random)),
  )
  return {
    verdict: oracle.verdict,
    /** Starts the load and returns a function that ends it. */
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
