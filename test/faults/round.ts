import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import type { Verdict } from './oracle.ts'
import { type Random, randomFrom } from './random.ts'
import type { Node, Topology } from './topology.ts'
import { openTraffic } from './traffic.ts'
import { openWorkload } from './workload.ts'

const readyWithinMs = 30_000
/** Load goes on this long after the last sign of trouble. */
const calmMs = 1_000

export type Round = Verdict & {
  fault: string
  /** How it went this time: how long, how many. */
  course: string
  topology: string
  acknowledged: number
  unknown: number
  /** From the repair until every node was ready and nothing went unanswered any more; null: never. */
  readyMs: number | null
  /** The answer that took longest, from beginning to end of the load. */
  slowestMs: number
  /** What each process that ended by itself said last. */
  died: string[]
  /** Answers that nobody should ever get. */
  wrong: string[]
  /** What the server processes logged as warnings or worse. */
  log: string[]
}

/** One fault among load: everything acknowledged must be there, nothing twice or half, and every process alive. */
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
  /** Waits for calm, putting new processes in the place of dead ones, and says how long it took. */
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
    /** The same look at the same data, later. */
    async checkAgain(): Promise<Verdict & { wrong: string[] }> {
      await workload.check().catch((error) => seen.wrong.push(`cannot be checked again: ${error}`))
      return { ...takeAll(workload.verdict), wrong: seen.wrong.splice(0) }
    },
  }
}

/** Moves what was found out of the oracle, which goes on from there. */
const takeAll = ({ lost, doubled, halfDone, miscounted }: Verdict): Verdict => ({
  lost: lost.splice(0),
  doubled: doubled.splice(0),
  halfDone: halfDone.splice(0),
  miscounted: miscounted.splice(0),
})

const isReady = async (topology: Topology) => {
  const addresses = topology.urls().flatMap((services) => Object.values(services))
  const answers = await Promise.all(
    addresses.map((base) => fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null)),
  )
  await Promise.all(answers.map((answer) => answer?.arrayBuffer().catch(() => null)))
  return answers.every((answer) => answer?.status === 200)
}

/** Taken out of what a process has logged, of which nothing else is kept. */
const warningsOf = ({ lines }: Node['process']) =>
  lines
    .splice(0)
    .filter(({ level }) => level !== 'info')
    .map(({ msg, err }) => (err ? `${msg}: ${(err as Error).stack}` : msg))
