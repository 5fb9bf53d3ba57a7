import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenEncoding, isCompressible, tagIn, varyByEncoding } from './encodings.ts'

test('a client gets the best encoding it accepts, and none that it refuses', () => {
  assert.equal(chosenEncoding('gzip, deflate, br'), 'br')
  assert.equal(chosenEncoding('gzip;q=0.5, BR;q=0'), 'gzip')
  assert.equal(chosenEncoding('br;q=0.0'), 'identity')
  assert.equal(chosenEncoding('deflate'), 'identity')
  assert.equal(chosenEncoding(undefined), 'identity')
})

test('weights decide, and a small response is compressed only for a client that refuses it plain', () => {
  assert.equal(chosenEncoding('br;q=0.2, gzip;q=0.8'), 'gzip')
  assert.equal(chosenEncoding('identity, gzip;q=0.5'), 'identity')
  assert.equal(chosenEncoding('gzip;q=0.001'), 'gzip')
  assert.equal(chosenEncoding('*'), 'br')
  assert.equal(chosenEncoding('*, br;q=0'), 'gzip')
  assert.equal(chosenEncoding('gzip', 100), 'identity')
  assert.equal(chosenEncoding('gzip, identity;q=0', 100), 'gzip')
  assert.equal(chosenEncoding('gzip, *;q=0', 100), 'gzip')
  assert.equal(chosenEncoding('br;q=0, gzip;q=0, identity;q=0'), 'identity')
  assert.equal(chosenEncoding('gzip;q=nonsense'), 'gzip')
  assert.equal(chosenEncoding(''), 'identity')
  assert.equal(chosenEncoding('\u0000;;q=,,,;'), 'identity')
})

test('texts are compressed, and bytes that are compressed already are not', () => {
  for (const type of ['application/json; charset=utf-8', 'text/csv', 'application/rss+xml', 'image/svg+xml'])
    assert.ok(isCompressible(type), type)
  for (const type of [
    'image/png',
    'application/octet-stream',
    'text/event-stream',
    'application/zip',
    undefined,
  ])
    assert.ok(!isCompressible(type), String(type))
})

test('each encoding has an entity tag of its own, and Vary keeps what it had', () => {
  assert.equal(tagIn('"a"', 'identity'), '"a"')
  assert.equal(tagIn('W/"a"', 'br'), 'W/"a-br"')
  assert.equal(varyByEncoding(undefined), 'Accept-Encoding')
  assert.equal(varyByEncoding('Origin'), 'Origin, Accept-Encoding')
  assert.equal(varyByEncoding('accept-encoding'), 'accept-encoding')
})
