import { writeFile } from 'node:fs/promises'
import { inspect, parseArgs } from 'node:util'
import { type Fault, faults } from './faults.ts'
import { randomFrom } from './random.ts'
import { hasFailed, roundText, tableText } from './report.ts'
import { type Round, runRound } from './round.ts'
import { openTopology, type Topology, type TopologyName } from './topology.ts'

/**
 * Injects database faults under load into real server processes, and checks that they keep running, respond 503 during the
 * fault, recover on their own, and that nothing acknowledged is lost, doubled or half done.
 *
 * npm run test:faults                          60 faults, a quarter on each of four topologies
 * npm run test:faults -- --faults 200 --topology server --nodes 2 --seed 7
 *   --topology embedded|server|pooler          embedded PostgreSQL, a server, or a server behind PgBouncer
 *   --nodes 1|2                                server processes; embedded PostgreSQL allows one
 *   --seed N                                   repeats the faults and their order, though not their exact times
 *   --only 'killed'                            faults whose name contains this; 'nothing' only applies load
 *   --json FILE                                writes the details of every round
 *
 * Prints a table at the end, with exit code 1 if anything failed. Needs Linux, and Debian for PostgreSQL and PgBouncer.
 */
const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '60' },
    topology: { type: 'string' },
    nodes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    only: { type: 'string' },
    json: { type: 'string' },
  },
})

const checkEvery = 20
const mix: [TopologyName, number][] = [['embedded', 1], ['server', 1], ['server', 2], ['pooler', 2]] // biome-ignore format: one list
const isAsked = ([name, nodes]: [TopologyName, number]) =>
  name === (values.topology ?? name) && nodes === Number(values.nodes ?? nodes)
const topologies = [...mix, ['pooler', 1] as [TopologyName, number]].filter(isAsked)
const asked = values.nodes ? topologies : mix.filter(isAsked)
if (asked.length === 0) throw new Error('There is no such topology with so many nodes')

const seed = Number(values.seed)
const random = randomFrom(seed)
const rounds: Round[] = []
const later: string[] = []
const say = (text: string) => void process.stdout.write(`${text}\n`)
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isInterrupted = true
    say('Ending after this round')
  })

/** Every fault that the topology supports once, then every one again, each time in another order. */
const deckFor = function* (topology: Topology): Generator<Fault> {
  const { only } = values
  const can = faults.filter(({ name, applies }) =>
    applies && !applies(topology) ? name === only : name.includes(only ?? ''),
  )
  if (can.length === 0) throw new Error(`No fault of that name: ${faults.map(({ name }) => name).join(', ')}`)
  for (;;) yield* random.shuffled(can)
}

type Past = Awaited<ReturnType<typeof runRound>>

/** The data of all rounds is unchanged, and `trivet verify` finds nothing wrong. */
const lookBack = async (topology: Topology, past: Past[]) => {
  for (const { round, checkAgain } of past.splice(0)) {
    const found = Object.values(await checkAgain()).flat()
    later.push(...found.map((text) => `after ${round.fault}, later: ${text}`))
  }
  const problem = await topology.verify()
  if (problem) later.push(problem)
}

const campaignOn = async ([name, nodes]: [TopologyName, number], count: number) => {
  const topology = await openTopology(name, nodes)
  try {
    const past: Past[] = []
    const deck = deckFor(topology)
    for (let n = 1; n <= count && !isInterrupted; n++) {
      const done = await runRound(topology, deck.next().value, random)
      rounds.push(done.round)
      past.push(done)
      say(`${rounds.length}. ${roundText(done.round)}`)
      if (n % checkEvery === 0 || n === count || isInterrupted) await lookBack(topology, past)
    }
  } catch (error) {
    later.push(`${name} × ${nodes} broke off: ${inspect(error)}`)
  } finally {
    await topology.close()
  }
}

say(`Seed ${seed}`)
let left = Number(values.faults)
for (const [index, topology] of asked.entries()) {
  const share = Math.ceil(left / (asked.length - index))
  left -= share
  await campaignOn(topology, share)
}
if (values.json) await writeFile(values.json, JSON.stringify({ seed, rounds, later }, null, 2))
say(`\n${tableText(rounds)}`)
for (const text of later) say(text)
const failed = rounds.filter(hasFailed).length
say(`${failed} of ${rounds.length} rounds failed; ${later.length} problems found later`)
process.exitCode = failed + later.length > 0 || rounds.length === 0 ? 1 : 0
