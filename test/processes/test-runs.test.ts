import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'

/** Runs one test file in a temporary directory of its own, which is to be empty afterwards. */
const startRun = async (t: TestContext, env: Record<string, string> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'run-'))
  await chmod(folder, 0o711)
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  const run = spawn(process.execPath, ['test/run.ts', 'platform/nodes'], {
    env: { ...own, TMPDIR: folder, TRIVET_TEST_DATABASE_FOLDER: folder, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(run, 'exit') as Promise<[number | null]>
  return { folder, run, ended }
}

/** Processes that were started with something in this folder. */
const processesIn = async (folder: string) => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

test('a test run that is interrupted, even twice, leaves no file and no process', async (t) => {
  const { folder, run, ended } = await startRun(t)
  // As many as a file that has booted makes.
  await eventually(
    async () => {
      const names = await readdir(folder, { recursive: true })
      assert.ok(names.some((name) => /trivet-data-[^/]+$/.test(name)))
    },
    { withinMs: 60_000 },
  )
  run.kill('SIGINT')
  run.kill('SIGINT')
  assert.deepEqual(await ended, [1, null])
  assert.deepEqual(await readdir(folder), [])
  assert.deepEqual(await processesIn(folder), [])
})

test('a test run in which no system can start fails and leaves no file and no process', async (t) => {
  const { folder, ended } = await startRun(t, { TRIVET_TEST_BLOBS: 'not an address' })
  assert.deepEqual(await ended, [1, null])
  assert.deepEqual(await readdir(folder), [])
  assert.deepEqual(await processesIn(folder), [])
})
