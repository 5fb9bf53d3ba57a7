import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadServices } from '#src/services.ts'

/** The reasons in `refuse('…')` and `refuse(case when … then '…' else '…' end, …)`. */
const reasonsIn = (sql: string) =>
  [...sql.matchAll(/platform\.refuse\(([^,)]*)/g)].flatMap(([, first = '']) =>
    [...first.matchAll(/(?:^|then |else )'(\w+)'/g)].map(([, reason]) => reason as string),
  )

test('every reason for which SQL refuses has its words, and no words are unused', async () => {
  let found = 0
  for (const { name, modules } of await loadServices()) {
    const files = globSync(`src/${name}/**/functions.sql`)
    const raised = new Set(files.flatMap((file) => reasonsIn(readFileSync(file, 'utf8'))))
    const worded = modules.flatMap(({ refusals = {} }) => Object.keys(refusals))
    assert.deepEqual(worded.toSorted(), [...raised].sort(), name)
    found += raised.size
  }
  assert.ok(found > 30)
})
