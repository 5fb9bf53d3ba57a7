import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { test } from 'node:test'
import { clusterSettings, configFile, sizes, thisMachine } from './settings.ts'

const GiB = 2 ** 30
const megabytes = (value: string | undefined) => Number(/^(\d+)MB$/.exec(value ?? '')?.[1])

test('a small machine of 1 GiB and one core gets small sizes', () => {
  assert.deepEqual(sizes({ memory: GiB, cores: 1 }), {
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    max_parallel_workers_per_gather: '0',
  })
})

test('a machine of 4 GiB and two cores gets sizes in proportion to its memory', () => {
  assert.deepEqual(sizes({ memory: 4 * GiB, cores: 2 }), {
    shared_buffers: '256MB',
    effective_cache_size: '2048MB',
    max_parallel_workers_per_gather: '0',
  })
})

test('a large machine of 64 GiB and 32 cores may run parallel plans, but takes no large idle memory', () => {
  assert.deepEqual(sizes({ memory: 64 * GiB, cores: 32 }), {
    shared_buffers: '256MB',
    effective_cache_size: '32768MB',
    max_parallel_workers_per_gather: '2',
  })
})

test('buffers take at most an eighth of the memory of any machine', () => {
  for (const memory of [0.5, 1, 2, 3, 8, 24, 64].map((size) => size * GiB)) {
    const buffers = megabytes(sizes({ memory, cores: 2 }).shared_buffers)
    assert.ok(buffers * 2 ** 20 <= memory / 8, `${buffers} MB of ${memory / 2 ** 20} MB`)
  }
})

test('the memory of the machine is at most what is installed and what its container may use', () => {
  const { memory, cores } = thisMachine()
  assert.ok(memory > 0 && memory <= totalmem())
  assert.ok(memory <= (process.constrainedMemory() || Number.POSITIVE_INFINITY))
  assert.ok(cores >= 1)
})

test('no setting that durability depends on is changed', () => {
  const names = Object.keys(clusterSettings('name', '/run', { memory: GiB, cores: 1 }))
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'commit_delay'])
    assert.ok(!names.includes(name), name)
})

test('values with quotes and backslashes are escaped in postgresql.conf', () => {
  assert.match(configFile({ cluster_name: "it's a \\ name" }), /^cluster_name = 'it''s a \\\\ name'$/m)
})
