import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeOf } from '#platform/sizes.ts'
import { startProgress } from './progress.ts'

const recorder = (isTTY: boolean) => {
  const texts: string[] = []
  return { isTTY, texts, write: (text: string) => texts.push(text) }
}

test('progress is printed as lines, or on a terminal as one line that is updated', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const [plain, terminal] = [recorder(false), recorder(true)]
  for (const output of [plain, terminal]) {
    const progress = startProgress('Backing up', output)
    progress.step('table 2 of 9')
    progress.count('rows', 10)
    progress.count('bytes', 2048)
    t.mock.timers.tick(5_000)
    progress.end()
    t.mock.timers.tick(60_000)
  }
  const line = 'Backing up: table 2 of 9, 10 rows, 0 blobs, 2.0 KiB'
  assert.deepEqual(plain.texts, [`${line}\n`])
  assert.equal(terminal.texts[0], `\r\x1b[2K${line}`)
  assert.equal(terminal.texts.at(-1), '\r\x1b[2K')
})

test('progress mentions when there has been none for a minute', (t) => {
  let now = 0
  t.mock.timers.enable({ apis: ['setInterval'] })
  t.mock.method(performance, 'now', () => now)
  const output = recorder(false)
  const progress = startProgress('Backing up', output)
  for (const at of [5_000, 70_000]) {
    now = at
    t.mock.timers.tick(5_000)
  }
  progress.count('bytes', 1)
  now = 75_000
  t.mock.timers.tick(5_000)
  progress.end()
  const isStill = output.texts.map((text) => / \(no progress for \d+ s\)\n$/.test(text))
  assert.deepEqual(isStill, [false, true, false])
})

test('sizeOf formats a number of bytes', () => {
  assert.deepEqual([0, 1, 1023, 1024, 1_500_000, 2 ** 40, 2 ** 52].map(sizeOf), [
    '0 bytes',
    '1 bytes',
    '1023 bytes',
    '1.0 KiB',
    '1.4 MiB',
    '1.0 TiB',
    '4096.0 TiB',
  ])
})
