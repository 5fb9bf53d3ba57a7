import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behindBy } from './minors.ts'

const embedded = { databaseUrl: undefined, pgBin: undefined }

test('a server whose minor version is behind is named with what to do, by where it comes from', () => {
  assert.match(
    behindBy(180_004, embedded)!,
    /^PostgreSQL 18\.4 is behind 18\.\d+ \(known on \d{4}-.*set PG_BIN/,
  )
  assert.match(
    behindBy(180_004, { ...embedded, pgBin: '/opt/pg/bin' })!,
    /update the programs in PG_BIN=\/opt\/pg\/bin$/,
  )
  const server = { ...embedded, databaseUrl: 'postgres://user:secret@h/d' }
  assert.match(
    behindBy(150_018, server)!,
    /^PostgreSQL 15\.18 is behind 15\.20 .*update the server of DATABASE_URL$/,
  )
  assert.doesNotMatch(behindBy(150_018, server)!, /secret/)
})

test('the newest minor version that is known, later ones and majors that are not known are no reason to warn', () => {
  for (const number of [180_006, 180_007, 190_000, 150_020]) assert.equal(behindBy(number, embedded), null)
})
