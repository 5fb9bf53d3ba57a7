import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsIn, followGuides } from './fixtures/guides.ts'

test('every command of the README and the guides works as printed', { timeout: 290_000 }, followGuides)

test('zsh understands every command of the README and the guides as bash does', async () => {
  assert.deepEqual(await callsIn('zsh'), await callsIn('bash'))
})
