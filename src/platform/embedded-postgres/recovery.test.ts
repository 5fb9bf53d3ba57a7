import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Process } from './processes.ts'
import { watchRecovery } from './recovery.ts'

const CLUSTER = 'trivet-0123456789ab'
const POSTMASTER = 100

const child = (pid: number, name: string, change: Partial<Process> = {}): Process => ({
  pid,
  parent: POSTMASTER,
  state: 'S',
  cpu: '7',
  command: `postgres: ${CLUSTER}: ${name}`,
  ...change,
})
const others = [child(101, 'logger'), child(102, 'io worker 0'), child(103, 'checkpointer')]
const startup = (change: Partial<Process> = {}) =>
  child(104, 'startup recovering 000000010000000000000003', change)

/** The verdicts over as many seconds. */
const verdicts = (seconds: number, at: (second: number) => Process[]) => {
  const watch = watchRecovery(POSTMASTER, CLUSTER)
  return Array.from({ length: seconds }, (_, second) => watch.look(at(second)))
}
const hangsAfter = (seen: ReturnType<typeof verdicts>) => seen.findIndex(({ hangs }) => hangs !== null) + 1

test('a cluster without a startup process hangs after five seconds', () => {
  const seen = verdicts(6, () => others)
  assert.equal(hangsAfter(seen), 5)
  assert.match(seen[4]!.hangs!, /no startup process/)
})

test('a startup process that has ended and waits for its parent is none, nor is a connection that starts', () => {
  const seen = verdicts(6, (n) => [
    ...others,
    startup({ state: 'Z' }),
    child(200 + n, 'trivet postgres [local] startup'),
  ])
  assert.equal(hangsAfter(seen), 5)
})

test('the startup process of another cluster does not count', () => {
  const seen = verdicts(6, () => [...others, startup({ parent: 99 })])
  assert.equal(hangsAfter(seen), 5)
})

test('a startup process that comes back in time starts the count anew', () => {
  assert.equal(hangsAfter(verdicts(40, (n) => (n % 5 === 4 ? [...others, startup()] : others))), 0)
})

test('a recovery in which nothing moves hangs after a minute, whatever logger and postmaster do', () => {
  const seen = verdicts(62, (n) => [
    child(POSTMASTER, '', { parent: 1, cpu: String(n) }),
    child(101, 'logger', { cpu: String(n) }),
    child(300 + n, 'trivet postgres [local] startup'),
    startup(),
  ])
  assert.equal(hangsAfter(seen), 61)
  assert.match(seen[60]!.hangs!, /nothing has moved for 60 s/)
})

test('a slow recovery is left alone while its position, its CPU time or that of a helper moves, or the disk is waited for', () => {
  const minute = (n: number) => Math.floor(n / 59)
  const moving: ((n: number) => Process[])[] = [
    (n) => [startup({ command: `postgres: ${CLUSTER}: startup recovering 00000001${minute(n)}` })],
    (n) => [startup({ cpu: String(minute(n)) })],
    (n) => [startup(), child(103, 'checkpointer', { cpu: String(minute(n)) })],
    (n) => [startup(), child(102, 'io worker 0', { cpu: String(minute(n)) })],
    (n) => [startup(n % 59 === 58 ? { state: 'D' } : {})],
  ]
  for (const [which, at] of moving.entries()) assert.equal(hangsAfter(verdicts(600, at)), 0, String(which))
})

test('progress says the position that recovery has reached', () => {
  assert.equal(verdicts(1, () => [...others, startup()])[0]!.position, '000000010000000000000003')
  assert.equal(verdicts(1, () => others)[0]!.position, null)
})
