import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/support/eventually.ts'
import { processesBelow, signalAll } from './processes.ts'
import type { Random } from './random.ts'
import type { Topology } from './topology.ts'

export type Fault = {
  name: string
  /** The topologies in which it can happen; all by default. */
  applies?(topology: Topology): boolean
  /** Whether the fault kills a server process. In all others every server process must keep running. */
  killsNode?: true
  /** Injects the fault, repairs what an operator would repair, and returns a description. */
  inject(topology: Topology, random: Random): Promise<string>
}

const pidsOf = async ({ postgres }: Topology, ...roles: string[]) =>
  (await processesBelow(await postgres.postmaster()))
    .filter(({ role }) => roles.length === 0 || roles.includes(role))
    .map(({ pid }) => pid)

const restart =
  (signal: NodeJS.Signals): Fault['inject'] =>
  ({ postgres }, random) =>
    postgres.restart(signal, random.between(500, 3000))

/** Terminates some sessions one after the other, with SIGTERM as `pg_terminate_backend` does. */
const terminate =
  (howMany: (all: number, random: Random) => number): Fault['inject'] =>
  async (topology, random) => {
    const all = random.shuffled(await pidsOf(topology, 'backend'))
    const chosen = all.slice(0, howMany(all.length, random))
    for (const pid of chosen) {
      signalAll([pid], 'SIGTERM')
      await sleep(random.between(0, 20))
    }
    return `${chosen.length} of ${all.length}`
  }

/** PostgreSQL then ends all sessions and recovers, because shared memory may be corrupt. */
const killOne =
  (role: string): Fault['inject'] =>
  async (topology, random) => {
    const all = await pidsOf(topology, role)
    const pid = random.pick(all)
    if (pid) signalAll([pid], 'SIGKILL')
    return `process ${pid}`
  }

const killsInRecovery = 30
/** A cluster that hangs is replaced in this time. */
const recoveryPatienceMs = 30_000

/**
 * Crashes the database and kills more of its processes while it recovers, again and again. `choose` says which of those
 * there are beside the startup process.
 */
const killInRecovery =
  (choose: (others: number[], random: Random) => number[], alsoStartup: boolean): Fault['inject'] =>
  async (topology, random) => {
    let killed = 0
    let crashes = 0
    while (killed < killsInRecovery) {
      const processes = await topology.postgres
        .postmaster()
        .then(processesBelow)
        .catch(() => [])
      const startup = processes.find(({ role }) => role === 'startup')
      const backend = processes.find(({ role }) => role === 'backend')
      if (startup) {
        const others = processes.filter(({ role }) => !['startup', 'backend'].includes(role))
        const pids = [
          ...choose(
            others.map(({ pid }) => pid),
            random,
          ),
          ...(alsoStartup ? [startup.pid] : []),
        ]
        for (const pid of pids) {
          signalAll([pid], 'SIGKILL')
          await sleep(random.between(0, 3))
        }
        killed += pids.length
        await sleep(random.between(0, 30))
      } else if (backend) {
        signalAll([backend.pid], 'SIGKILL')
        crashes++
        await until('recovery begins', () => hasProcess(topology, 'startup'), brief).catch(() => {})
      } else {
        await until('the database recovers or is back', () => hasProcess(topology, 'startup', 'backend'), {
          withinMs: recoveryPatienceMs,
          everyMs: 2,
        })
      }
    }
    return `${killed} processes in ${crashes} recoveries`
  }

const brief = { withinMs: 500, everyMs: 1 }

const hasProcess = (topology: Topology, ...roles: string[]) =>
  pidsOf(topology, ...roles).then(
    (pids) => pids.length > 0,
    () => false,
  )

/** Stops processes with SIGSTOP: connected but not responding, as after packet loss or on a machine that hangs. */
const freeze = async (pids: number[], random: Random) => {
  const ms = random.between(1000, 8000)
  signalAll(pids, 'SIGSTOP')
  await sleep(ms)
  signalAll(pids, 'SIGCONT')
  return `${pids.length} processes for ${ms} ms`
}

/** Only the embedded PostgreSQL is replaced by itself when such kills make it hang. */
const applies = ({ name }: Topology) => name === 'embedded'
const inRecovery: Fault[] = [
  { name: 'startup process killed in recovery', applies, inject: killInRecovery(() => [], true) },
  {
    name: 'another and startup process killed in recovery',
    applies,
    inject: killInRecovery((others, random) => (others.length > 0 ? [random.pick(others)] : []), true),
  },
  {
    name: 'all but the startup process killed in recovery',
    applies,
    inject: killInRecovery((others, random) => random.shuffled(others), false),
  },
  {
    name: 'all processes killed in recovery',
    applies,
    inject: killInRecovery((others, random) => random.shuffled(others), true),
  },
]

export const faults: Fault[] = [
  {
    name: 'nothing',
    applies: () => false,
    inject: async () => {
      await sleep(1000)
      return 'only load'
    },
  },
  { name: 'postmaster killed', inject: restart('SIGKILL') },
  { name: 'stopped, fast', inject: restart('SIGINT') },
  { name: 'stopped, immediate', inject: restart('SIGQUIT') },
  { name: 'backend killed', inject: killOne('backend') },
  { name: 'checkpointer killed', inject: killOne('checkpointer') },
  { name: 'walwriter killed', inject: killOne('walwriter') },
  ...inRecovery,
  { name: 'one backend terminated', inject: terminate(() => 1) },
  {
    name: 'some backends terminated',
    inject: terminate((all, random) => random.between(2, Math.max(2, all - 1))),
  },
  { name: 'all backends terminated', inject: terminate((all) => all) },
  {
    name: 'backends frozen',
    inject: async (topology, random) => freeze(await pidsOf(topology, 'backend'), random),
  },
  {
    name: 'database frozen',
    inject: async (topology, random) =>
      freeze([await topology.postgres.postmaster(), ...(await pidsOf(topology))], random),
  },
  {
    name: 'pooler killed',
    applies: ({ pooler }) => pooler !== null,
    async inject({ pooler }, random) {
      const ms = random.between(0, 2000)
      await pooler?.down('SIGKILL')
      await sleep(ms)
      await pooler?.up()
      return `down for ${ms} ms`
    },
  },
  {
    name: 'node killed',
    killsNode: true,
    applies: ({ nodes }) => nodes.length > 1,
    async inject({ nodes, restartNode }, random) {
      const index = random.between(0, nodes.length - 1)
      await nodes[index]!.process.stop('SIGKILL')
      await restartNode(index)
      return `node ${index}`
    },
  },
]
