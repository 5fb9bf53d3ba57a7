import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '#test/faults/random.ts'
import { openTraffic } from '#test/faults/traffic.ts'
import { openWorkload } from '#test/faults/workload.ts'
import { serveProcess } from '#test/processes/fixtures/trivet-process.ts'
import { until } from '#test/support/eventually.ts'
import { leaseSeconds, startPatroni } from '#test/support/patroni.ts'

/** One node reaches the database through HAProxy, the other one by the list of its hosts. */
const folder = await mkdtemp(join(tmpdir(), 'trivet-failover-'))
const processes: Awaited<ReturnType<typeof serveProcess>>[] = []
const cluster = await startPatroni()
after(async () => {
  await Promise.all(processes.map((process) => process.stop()))
  await cluster.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
await cluster.healthy()
const start = (url: string, name: string) =>
  serveProcess({
    TRIVET_DATA: join(folder, name),
    BLOBS_URL: `file:${join(folder, 'blobs')}`,
    TRIVET_SECRET: 'a secret for failovers only',
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    DATABASE_URL: url,
  })
processes.push(await start(cluster.urls.proxy, 'one'), await start(cluster.urls.hosts, 'two'))

const readyWithin = 120_000
const isReady = async (base: string) => {
  const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  await response?.arrayBuffer().catch(() => null)
  return response?.status === 200
}
const areReady = async () => {
  const addresses = processes.flatMap(({ urls }) => [urls.storage, urls.publishing, urls.inventory])
  return (await Promise.all(addresses.map(isReady))).every(Boolean)
}

const faults: Record<string, () => Promise<unknown>> = {
  switchover: async () => (await cluster.primary()).switchover(),
  'PostgreSQL of the primary is killed': async () => {
    const pid = await (await cluster.primary()).postmaster()
    assert.ok(pid)
    process.kill(pid, 'SIGKILL')
  },
  'the primary is frozen and comes back': async () => {
    const frozen = await cluster.primary()
    const thaw = await frozen.freeze()
    const other = cluster.nodes.find((node) => node !== frozen)!
    await until('the other one is the primary', other.isPrimary, {
      withinMs: 3_000 * leaseSeconds,
      everyMs: 250,
    }).finally(thaw)
  },
  'the standby is gone for a while': async () => {
    const standby = await cluster.standby()
    await standby.kill()
    await sleep(5_000)
    standby.start()
  },
  'etcd is gone for 30 seconds': async () => {
    await cluster.etcd.stop()
    await sleep(30_000)
    cluster.etcd.start()
  },
}

for (const [index, [name, inject]] of Object.entries(faults).entries())
  test(`failover under load, ${name}: nothing acknowledged is lost or doubled, and no answer is 500`, {
    timeout: 300_000,
  }, async () => {
    const traffic = openTraffic(() => processes.map(({ urls }) => urls))
    const workload = await openWorkload(traffic, randomFrom(index + 1))
    const stop = workload.start()
    try {
      await sleep(1_000)
      await inject()
      await cluster.healthy()
      await until('all nodes are ready', areReady, { withinMs: readyWithin, everyMs: 100 })
      await sleep(1_000)
    } finally {
      await stop()
    }
    assert.ok(traffic.seen.acknowledged > 0)
    workload.verdict.doubled.push(...(await traffic.repeatAll()))
    await workload.check()
    const { wrong, cut } = traffic.seen
    const none = { lost: [], doubled: [], halfDone: [], miscounted: [] }
    assert.deepEqual({ ...workload.verdict, wrong, cut }, { ...none, wrong: [], cut: [] })
  })
