import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { keptDocument } from './document.ts'

test('a kept document is made once, sent in each encoding with a tag of its own, and not sent again', async () => {
  let made = 0
  const text = 'the same words '.repeat(200)
  const app = fastify()
  app.get(
    '/',
    keptDocument('text/plain; charset=utf-8', () => `${text}${++made}`),
  )
  const get = (headers: Record<string, string>) => app.inject({ url: '/', headers })
  const plain = await get({})
  const br = await get({ 'accept-encoding': 'br, gzip' })
  const gzip = await get({ 'accept-encoding': 'gzip' })
  assert.equal(plain.body, `${text}1`)
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), `${text}1`)
  assert.equal(gunzipSync(gzip.rawPayload).toString(), `${text}1`)
  const all = [plain, br, gzip]
  assert.equal(new Set(all.map(({ headers }) => headers.etag)).size, 3)
  for (const { headers } of all) assert.equal(headers.vary, 'Accept-Encoding')
  const again = await get({ 'accept-encoding': 'br', 'if-none-match': String(br.headers.etag) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  const other = await get({ 'accept-encoding': 'gzip', 'if-none-match': String(br.headers.etag) })
  assert.equal(other.statusCode, 200)
  await app.close()
})
