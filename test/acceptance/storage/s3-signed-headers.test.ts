import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { bytesOf, type Credentials, type RawRequest, sendRaw, sign } from '#test/support/s3-raw.ts'

// What a refusal shows of a request. A browser adds headers of its own, and a page that reads the response must not learn them.
const system = await boot()
const { credentials } = await s3Owner(system)
const base = system.urls.s3
const wrong: Credentials = { ...credentials, secretKey: 'not the secret' }

const get = (headers: Record<string, string>): RawRequest => ({ method: 'GET', path: '/', headers })
const ways = [['in its headers', undefined], ['in its query', 60]] as const // biome-ignore format: one line

for (const [how, expires] of ways) {
  test(`a request that is signed ${how} cannot have credentials among its signed headers`, async () => {
    for (const name of ['cookie', 'authorization', 'proxy-authorization', 'x-api-key']) {
      if (name === 'authorization' && expires === undefined) continue
      for (const who of [credentials, wrong]) {
        const request = get({ [name]: 'trivet_storage=SECRET' })
        const { status, code, text } = await sendRaw(base, bytesOf(sign(base, who, request, expires)))
        assert.equal(status, 400, text)
        assert.ok(!text.includes('SECRET'), text)
        const expected =
          name === 'authorization'
            ? 'InvalidArgument'
            : expires === undefined
              ? 'AuthorizationHeaderMalformed'
              : 'AuthorizationQueryParametersError'
        assert.equal(code, expected)
      }
    }
  })

  test(`a wrong signature ${how} is answered with the values of those headers alone that clients send on purpose`, async () => {
    const kept = { 'content-type': 'text/shown', range: 'bytes=0-shown', 'x-amz-meta-a': 'shown' }
    const hidden = {
      'user-agent': 'SECRET',
      referer: 'SECRET',
      'x-forwarded-for': 'SECRET',
      'x-token': 'SECRET',
      'x-amz-server-side-encryption-customer-key': 'SECRET',
    }
    const request = get({ ...kept, ...hidden })
    const { code, text } = await sendRaw(base, bytesOf(sign(base, wrong, request, expires)))
    assert.equal(code, 'SignatureDoesNotMatch', text)
    assert.ok(!text.includes('SECRET'), text)
    // The bytes were read as Latin-1.
    for (const name of Object.keys(hidden)) assert.match(text, new RegExp(`\\b${name}:\u00e2\u0080\u00a6`))
    for (const [name, value] of Object.entries(kept)) assert.match(text, new RegExp(`\\b${name}:${value}`))
    assert.match(text, new RegExp(`\\bhost:${new URL(base).host}`))
    assert.equal((await sendRaw(base, bytesOf(sign(base, credentials, request, expires)))).status, 200, 'signed right')
  })
} // biome-ignore format: one line
