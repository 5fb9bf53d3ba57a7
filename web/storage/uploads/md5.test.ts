import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { md5 } from './md5.ts'

test('MD5 is that of OpenSSL, at every length around the size of a block and for large parts', () => {
  for (const length of [...Array(140).keys(), 1_000_003]) {
    const bytes = new Uint8Array(randomBytes(length))
    assert.equal(md5(bytes), createHash('md5').update(bytes).digest('hex'), `${length} bytes`)
  }
})
