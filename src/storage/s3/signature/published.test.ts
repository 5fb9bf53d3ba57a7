import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf, type SignedParts } from './canonical.ts'
import { ChunkDecoder } from './chunks.ts'
import { presentedIn } from './presented.ts'
import { signingKeyOf, verifySignature } from './verify.ts'

// The examples of "Authenticating Requests (AWS Signature Version 4)" in the documentation of S3.
const accessKey = 'AKIAIOSFODNN7EXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const scope = '20130524/us-east-1/s3/aws4_request'
const now = new Date('2013-05-24T00:00:10Z')
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const requestOf = (line: string, headers: Record<string, string>, signature: string | null): SignedParts => {
  const [method = '', url = ''] = line.split(' ')
  const [path = '', query = ''] = url.split('?')
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]))
  const signed = [...all.keys()].sort().join(';')
  if (signature)
    all.set('authorization', [
      `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${signed},Signature=${signature}`,
    ])
  return { method, path, query, headers: all }
}

const verify = (parts: SignedParts, at = now) => {
  const presented = presentedIn(parts)
  assert.ok(presented)
  assert.equal(presented.accessKey, accessKey)
  return verifySignature(parts, presented, { signingKey: signingKeyOf(secret, presented.scope), now: at })
}

const host = 'examplebucket.s3.amazonaws.com'
const date = { 'x-amz-date': '20130524T000000Z' }
const noBody = { host, 'x-amz-content-sha256': empty, ...date }

const examples: Record<string, SignedParts> = {
  'GET of a range of an object': requestOf(
    'GET /test.txt',
    { ...noBody, range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ),
  'PUT of an object whose key has a special character': requestOf(
    'PUT /test%24file.text',
    {
      host,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      ...date,
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ),
  'GET of the lifecycle of a bucket': requestOf(
    'GET /?lifecycle',
    noBody,
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ),
  'GET of a list of objects': requestOf(
    'GET /?max-keys=2&prefix=J',
    noBody,
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ),
  'GET with a signature in the query': requestOf(
    'GET /test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3' +
      '%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=' +
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    { host },
    null,
  ),
}

for (const [name, parts] of Object.entries(examples)) {
  test(`the published signature is accepted: ${name}`, () => {
    verify(parts)
  })
  test(`another path, query, method or host is not what was signed: ${name}`, () => {
    const others: SignedParts[] = [
      { ...parts, path: `${parts.path}/` },
      { ...parts, query: `${parts.query}&x=y` },
      { ...parts, method: 'DELETE' },
      { ...parts, headers: new Map([...parts.headers, ['host', ['elsewhere']]]) },
    ]
    for (const other of others) assert.throws(() => verify(other), { code: 'SignatureDoesNotMatch' })
  })
}

test('a mismatch shows the canonical request and the string to sign that were computed', () => {
  const parts = examples['GET of a list of objects'] as SignedParts
  assert.throws(
    () => verify({ ...parts, method: 'HEAD' }),
    ({ fields }: { fields: Record<string, string> }) => {
      assert.match(fields.CanonicalRequest ?? '', /^HEAD\n\/\nmax-keys=2&prefix=J\nhost:examplebucket/)
      assert.match(
        fields.StringToSign ?? '',
        /^AWS4-HMAC-SHA256\n20130524T000000Z\n20130524\/us-east-1\/s3\//,
      )
      assert.equal(fields.Host, host)
      return true
    },
  )
})

test('a signature in headers is valid within 15 minutes, one in a query until it expires', () => {
  const inHeaders = examples['GET of a list of objects'] as SignedParts
  const inQuery = examples['GET with a signature in the query'] as SignedParts
  verify(inHeaders, new Date('2013-05-24T00:15:00Z'))
  verify(inHeaders, new Date('2013-05-23T23:45:00Z'))
  for (const time of ['2013-05-24T00:15:01Z', '2013-05-23T23:44:59Z'])
    assert.throws(() => verify(inHeaders, new Date(time)), { code: 'RequestTimeTooSkewed' })
  verify(inQuery, new Date('2013-05-24T23:59:59Z'))
  assert.throws(() => verify(inQuery, new Date('2013-05-25T00:00:00Z')), { code: 'AccessDenied' })
  assert.throws(() => verify(inQuery, new Date('2013-05-23T23:44:59Z')), { code: 'RequestTimeTooSkewed' })
})

test('a header x-amz-* that is not signed is refused', () => {
  const parts = examples['GET of a list of objects'] as SignedParts
  const more = new Map([...parts.headers, ['x-amz-acl', ['public-read']]])
  assert.throws(() => verify({ ...parts, headers: more }), {
    code: 'AccessDenied',
    fields: { HeadersNotSigned: 'x-amz-acl' },
  })
})

test('other mechanisms and malformed signatures are refused with the code of S3', () => {
  const withQuery = (query: string) => () => presentedIn({ ...requestOf('GET /', { host }, null), query })
  const withHeader =
    (value: string, more: Record<string, string> = date) =>
    () =>
      presentedIn(requestOf('GET /', { host, authorization: value, ...more }, null))
  const good = `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`
  assert.equal(presentedIn(requestOf('GET /', { host }, null)), undefined)
  assert.doesNotThrow(withHeader(good))
  assert.throws(withHeader('AWS AKIA:sig'), { code: 'InvalidRequest' })
  assert.throws(withQuery('AWSAccessKeyId=a&Signature=b&Expires=1'), { code: 'InvalidRequest' })
  assert.throws(withHeader(good, { ...date, 'x-amz-security-token': 'x' }), { code: 'InvalidToken' })
  assert.throws(withHeader(good.replace('/s3/', '/ec2/')), { code: 'AuthorizationHeaderMalformed' })
  assert.throws(withHeader(good.replace('20130524/', '20130525/')), { code: 'AuthorizationHeaderMalformed' })
  assert.throws(withHeader(good.replace('SignedHeaders=host', 'SignedHeaders=range')), {
    code: 'AuthorizationHeaderMalformed',
  })
  for (const names of ['host;host', 'Host;host'])
    assert.throws(withHeader(good.replace('SignedHeaders=host', `SignedHeaders=${names}`)), {
      code: 'AuthorizationHeaderMalformed',
    })
  const inOrderOfCurl = withHeader(good.replace('=host,', '=host;x-amz-meta-a0;x-amz-meta-a,'))()
  assert.deepEqual(inOrderOfCurl?.signedHeaders, ['host', 'x-amz-meta-a0', 'x-amz-meta-a'])
  assert.throws(withHeader(good, {}), { code: 'AccessDenied' })
  const query = (examples['GET with a signature in the query'] as SignedParts).query
  for (const expires of ['0', '604801', '-1', 'x', ''])
    assert.throws(withQuery(query.replace('Expires=86400', `Expires=${expires}`)), {
      code: 'AuthorizationQueryParametersError',
    })
  assert.throws(withQuery(query.replace(/&X-Amz-Date=[^&]*/, '')), {
    code: 'AuthorizationQueryParametersError',
  })
  assert.throws(() => parametersOf('a=%zz'), { code: 'InvalidURI' })
})

const chunk = (bytes: Buffer, signature?: string) =>
  Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}${signature ? `;chunk-signature=${signature}` : ''}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])

const large = Buffer.alloc(65_536, 'a')
const small = Buffer.alloc(1024, 'a')
const chunked = {
  host: 's3.amazonaws.com',
  'content-encoding': 'aws-chunked',
  'x-amz-decoded-content-length': '66560',
  'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  ...date,
}

/** Sends a body in pieces of this size, whose memory is freed, and returns what is decoded. */
const decode = async (decoder: ChunkDecoder, body: Buffer, pieceBytes = body.length) => {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; at += pieceBytes)
    pieces.push(Buffer.copyBytesFrom(body, at, Math.min(pieceBytes, body.length - at)))
  const decoded: Buffer[] = []
  decoder.on('data', (some: Buffer) => decoded.push(some))
  const ended = new Promise<void>((resolve, reject) => decoder.on('end', resolve).on('error', reject))
  for (const piece of pieces) if (!decoder.destroyed) decoder.write(piece)
  decoder.end()
  await ended
  return Buffer.concat(decoded)
}

const signedChunks = () => {
  const parts = requestOf(
    'PUT /examplebucket/chunkObject.txt',
    { ...chunked, 'content-length': '66824', 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' },
    '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
  )
  const body = Buffer.concat([
    chunk(large, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'),
    chunk(small, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'),
    chunk(Buffer.alloc(0), 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'),
  ])
  return { signer: verify(parts), body }
}

const decoderOf = (signer: ReturnType<typeof verify> | null, hasTrailers = false, length = 66_560) => {
  const trailers: [string, string][] = []
  const onTrailers = (found: ReadonlyMap<string, string>) => void trailers.push(...found)
  return { decoder: new ChunkDecoder({ signer, hasTrailers, length, onTrailers }), trailers }
}

for (const pieceBytes of [1, 7, 4096, 100_000])
  test(`the published chunked upload is decoded when it arrives in pieces of ${pieceBytes} bytes`, async () => {
    const { signer, body } = signedChunks()
    assert.equal(body.length, 66_824)
    const decoded = await decode(decoderOf(signer).decoder, body, pieceBytes)
    assert.ok(decoded.equals(Buffer.concat([large, small])))
  })

test('a chunk that was altered, left out or cut short ends the upload', async () => {
  const { signer, body } = signedChunks()
  const altered = Buffer.from(body)
  altered[1000] = 98
  const attempts: [Buffer, string][] = [
    [altered, 'SignatureDoesNotMatch'],
    [Buffer.concat([body.subarray(0, 87), body.subarray(65_623)]), 'InvalidRequest'],
    [body.subarray(0, -100), 'IncompleteBody'],
    [body.subarray(0, -86), 'IncompleteBody'],
    [Buffer.concat([body, Buffer.from('x')]), 'InvalidRequest'],
    [Buffer.alloc(5000, '1'), 'InvalidRequest'],
  ]
  for (const [bytes, code] of attempts)
    await assert.rejects(decode(decoderOf(signer).decoder, bytes, 4096), { code })
})

test('the published chunked upload with a signed trailer is decoded, and its trailer is checked', async () => {
  const parts = requestOf(
    'PUT /examplebucket/chunkObject.txt',
    {
      ...chunked,
      'x-amz-trailer': 'x-amz-checksum-crc32c',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    },
    '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
  )
  const signer = verify(parts)
  const bodyWith = (crc: string) =>
    Buffer.concat([
      chunk(large, 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2'),
      chunk(small, '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7'),
      Buffer.from(
        '0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n' +
          `x-amz-checksum-crc32c:${crc}\r\n` +
          'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n',
      ),
    ])
  const { decoder, trailers } = decoderOf(signer, true)
  await decode(decoder, bodyWith('sOO8/Q=='), 5000)
  assert.deepEqual(trailers, [['x-amz-checksum-crc32c', 'sOO8/Q==']])
  await assert.rejects(decode(decoderOf(signer, true).decoder, bodyWith('sOO8/A==')), {
    code: 'SignatureDoesNotMatch',
  })
})

test('chunks without signatures are decoded, and their trailers are returned', async () => {
  const body = Buffer.concat([
    chunk(large),
    chunk(small),
    Buffer.from('0\r\nx-amz-checksum-crc64nvme:abc=\r\n\r\n'),
  ])
  const { decoder, trailers } = decoderOf(null, true)
  assert.equal((await decode(decoder, body, 999)).length, 66_560)
  assert.deepEqual(trailers, [['x-amz-checksum-crc64nvme', 'abc=']])
  await assert.rejects(decode(decoderOf(null, true, 66_561).decoder, body), { code: 'IncompleteBody' })
  await assert.rejects(decode(decoderOf(null, true, 66_559).decoder, body), { code: 'InvalidRequest' })
})
