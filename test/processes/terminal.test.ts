import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '#test/support/eventually.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { freePort } from '#test/support/postgres.ts'
import { isRunning, postmasterPid } from '#test/support/postmaster.ts'
import { onTerminal } from '#test/support/terminal.ts'

const timeout = 120_000

test('on a terminal, serve shows progress, addresses, readable requests, and that it stops on Ctrl+C', {
  timeout,
}, async (t) => {
  const dataDir = await temporaryFolder('terminal')
  const port = String(await freePort())
  const terminal = await onTerminal(t, `${process.execPath} src/main.ts serve`, {
    TRIVET_DATA: dataDir,
    STORAGE_PORT: port,
  })
  await until('the addresses are shown', () => terminal.text().includes('Ctrl+C'))
  const pid = await postmasterPid(dataDir)
  assert.match(terminal.text(), /Starting Trivet: creating the database/)
  assert.match(
    terminal.text(),
    new RegExp(`storage +http://localhost:${port}/console +http://localhost:${port}/docs`),
  )
  await fetch(`http://127.0.0.1:${port}/buckets`)
  const request = /\d\d:\d\d:\d\d storage {5}401 GET \/buckets {2}[\d.]+ ms {2}[0-9a-f-]{36}\r?\n/
  await until('the request is shown', () => request.test(terminal.text()))
  assert.match(terminal.raw(), /\x1b\[33m401\x1b\[0m/)
  terminal.press('\x03')
  await terminal.exited
  assert.match(terminal.text(), /Stopping …/)
  assert.doesNotMatch(terminal.text(), /\{"level"/)
  await until('PostgreSQL has stopped', () => !isRunning(pid))
})

test('npm run dev shows addresses and logins once, however often it starts again', { timeout }, async (t) => {
  const clone = await temporaryFolder('dev')
  await mkdir(join(clone, 'data'))
  for (const part of ['bin', 'src', 'sdk/src', 'web', 'package.json'])
    await cp(part, join(clone, part), { recursive: true })
  await symlink(resolve('node_modules'), join(clone, 'node_modules'))
  const env = { TRIVET_DATA: join(clone, 'data'), STORAGE_PORT: String(await freePort()) }
  const terminal = await onTerminal(t, `${process.execPath} src/dev.ts`, env, clone)
  const count = (word: string) => terminal.text().split(word).length - 1
  await until('the addresses are shown', () => count('Ctrl+C') === 1)
  for (const again of [1, 2]) {
    await appendFile(join(clone, 'src/banner.ts'), '\n')
    await until('it serves again', () => count('serving again') === again)
  }
  assert.equal(count('Ctrl+C'), 1)
  assert.equal(count('ada@harbour.example'), 1)
  const pid = await postmasterPid(env.TRIVET_DATA)
  terminal.press('\x03')
  await terminal.exited
  await until('PostgreSQL has stopped', () => !isRunning(pid))
})

test('a command whose reader leaves early ends quietly, with its work done', { timeout }, async () => {
  const env = { ...process.env, TRIVET_DATA: await temporaryFolder('pipe'), TRIVET_SERVICES: 'storage' }
  const trivet = `${process.execPath} src/main.ts`
  const bash = (script: string) => promisify(execFile)('bash', ['-c', script], { env })
  const { stdout, stderr } = await bash(`set -o pipefail; ${trivet} demo | head -1; echo "\${PIPESTATUS[0]}"`)
  assert.match(stdout, /^[^\n]+\n0\n$/)
  assert.doesNotMatch(stderr, /EPIPE|Error/)
  const { stdout: again } = await bash(`${trivet} demo`)
  assert.match(again, /ada@harbour\.example/)
})
