import { setTimeout as sleep } from 'node:timers/promises'
import { processesBelow, signalAll } from './processes.ts'
import type { Random } from './random.ts'
import type { Topology } from './topology.ts'

export type Fault = {
  name: string
  /** Where it can happen; everywhere, unless said. */
  applies?(topology: Topology): boolean
  /** A process that is killed answers nothing; in all other faults every server process must live on. */
  killsNode?: true
  /** Returns how it went when whatever an operator would repair has been repaired. */
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

/** Some of the sessions, one after the other, as `pg_terminate_backend` ends them: by SIGTERM. */
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

/** PostgreSQL then ends every session and recovers, for shared memory may be damaged. */
const killOne =
  (role: string): Fault['inject'] =>
  async (topology, random) => {
    const all = await pidsOf(topology, role)
    const pid = random.pick(all)
    if (pid) signalAll([pid], 'SIGKILL')
    return `process ${pid}`
  }

/** Alive but silent, as after a network that lost its packets or on a machine that stands still. */
const freeze = async (pids: number[], random: Random) => {
  const ms = random.between(1000, 8000)
  signalAll(pids, 'SIGSTOP')
  await sleep(ms)
  signalAll(pids, 'SIGCONT')
  return `${pids.length} processes for ${ms} ms`
}

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
