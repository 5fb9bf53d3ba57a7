import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import type { Verdict } from './oracle.ts'
import { type Random, randomFrom } from './random.ts'
import type { Node, Topology } from './topology.ts'
import { openTraffic } from './traffic.ts'
import { openWorkload } from './workload.ts'

const readyWithinMs = 30_000
/** How long the load continues after the last failed request. */
const calmMs = 1_000

export type Round = Verdict & {
  fault: string
  /** Details of the fault, such as its duration. */
  course: string
  topology: string
  acknowledged: number
  unknown: number
  /** Time from the repair until all nodes were ready and all requests got responses; null if that never happened. */
  readyMs: number | null
  /** The slowest response during the load. */
  slowestMs: number
  /** The last output of each process that ended on its own. */
  died: string[]
  /** Responses that a client must never get. */
  wrong: string[]
  /** Warnings and errors in the logs of the server processes. */
  log: string[]
}

/** Injects one fault under load and checks that everything acknowledged is stored once and completely, and all processes run. */
export const runRound = async (topology: Topology, fault: Fault, random: Random) => {
  const traffic = openTraffic(topology.urls)
  const { seen } = traffic
  const died: string[] = []
  const log: string[] = []
  const replaceDead = async () => {
    for (const [index, { hasEnded, process }] of topology.nodes.entries()) {
      if (!hasEnded) continue
      const { code, errors } = await process.stop()
      log.push(...warningsOf(process))
      died.push(`node ${index} ended with code ${code}: ${errors.trim().slice(-2000)}`)
      await topology.restartNode(index)
    }
  }
  /** Waits until no request fails, replacing processes that have ended, and returns how long it took. */
  const recovered = async () => {
    const repairedAt = performance.now()
    for (let readyAt = 0; performance.now() < repairedAt + readyWithinMs; await sleep(50)) {
      const deaths = died.length
      await replaceDead()
      if (died.length > deaths || !(await isReady(topology))) readyAt = 0
      else readyAt ||= performance.now()
      const last = Math.max(repairedAt, readyAt, seen.troubleAt)
      if (readyAt && performance.now() - last > calmMs) return Math.round(last - repairedAt)
    }
    return null
  }

  await replaceDead()
  const workload = await openWorkload(traffic, randomFrom(random.between(0, 2 ** 31)))
  const stop = workload.start()
  let readyMs: number | null = null
  let course = ''
  try {
    await sleep(random.between(500, 1500))
    course = await fault.inject(topology, random)
    readyMs = await recovered()
  } finally {
    await stop()
  }
  const { acknowledged, unknown, slowestMs } = seen
  try {
    workload.verdict.doubled.push(...(await traffic.repeatAll()))
    await workload.check()
  } catch (error) {
    seen.wrong.push(`cannot be checked: ${error}`)
  }
  await replaceDead()
  if (died.length === 0 && !fault.killsNode) seen.wrong.push(...seen.cut)
  const round: Round = {
    fault: fault.name,
    course,
    topology: `${topology.name} × ${topology.nodes.length}`,
    ...{ acknowledged, unknown, readyMs, slowestMs, died },
    ...takeAll(workload.verdict),
    wrong: seen.wrong.splice(0),
    log: [...log, ...topology.nodes.flatMap(({ process }) => warningsOf(process))],
  }
  return {
    round,
    /** Checks the data of this round again. */
    async checkAgain(): Promise<Verdict & { wrong: string[] }> {
      await workload.check().catch((error) => seen.wrong.push(`cannot be checked again: ${error}`))
      return { ...takeAll(workload.verdict), wrong: seen.wrong.splice(0) }
    },
  }
}

/** Takes the findings out of the oracle. */
const takeAll = ({ lost, doubled, halfDone, miscounted }: Verdict): Verdict => ({
  lost: lost.splice(0),
  doubled: doubled.splice(0),
  halfDone: halfDone.splice(0),
  miscounted: miscounted.splice(0),
})

const isReady = async (topology: Topology) => {
  const addresses = topology
    .urls()
    .flatMap(({ storage, publishing, inventory }) => [storage, publishing, inventory])
  const answers = await Promise.all(
    addresses.map((base) => fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null)),
  )
  await Promise.all(answers.map((answer) => answer?.arrayBuffer().catch(() => null)))
  return answers.every((answer) => answer?.status === 200)
}

/** Takes the warnings and errors out of the log of a process and discards the rest. */
const warningsOf = ({ lines }: Node['process']) =>
  lines
    .splice(0)
    .filter(({ level }) => level !== 'info')
    .map(({ msg, err }) => (err ? `${msg}: ${(err as Error).stack}` : msg))
