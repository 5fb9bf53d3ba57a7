import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showSteps } from './progress.ts'

const recorder = (isTTY: boolean, columns?: number) => {
  const texts: string[] = []
  return { isTTY, ...(columns ? { columns } : {}), texts, write: (text: string) => texts.push(text) }
}

test('away from a terminal, work of less than a second shows nothing, and longer work a line every five seconds', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const output = recorder(false)
  const { report, end } = showSteps('Filling inventory', output)
  report('1 of 9 orders')
  t.mock.timers.tick(999)
  assert.deepEqual(output.texts, [])
  t.mock.timers.tick(1)
  report('8 of 9 orders')
  t.mock.timers.tick(5_000)
  end()
  t.mock.timers.tick(60_000)
  assert.deepEqual(output.texts, ['Filling inventory: 1 of 9 orders\n', 'Filling inventory: 8 of 9 orders\n'])
})

test('on a terminal, progress is one line that is redrawn, never wider than the terminal, and removed at the end', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const output = recorder(true, 20)
  const { report, end } = showSteps('Starting', output)
  t.mock.timers.tick(250)
  report('creating the database')
  t.mock.timers.tick(250)
  end()
  end()
  const clear = '\r\x1b[2K'
  assert.deepEqual(output.texts, [`${clear}Starting …`, `${clear}Starting: creating `, clear])
})
