import { test } from 'node:test'
import { followGuides } from './fixtures/guides.ts'

test('every command of the README and the guides works in bash as printed', { timeout: 290_000 }, (t) =>
  followGuides('bash', t),
)
