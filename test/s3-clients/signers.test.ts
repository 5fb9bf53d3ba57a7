import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { type Scene, testEachWay } from './support/scene.ts'

// Independent signers sign odd requests. What they ask for is not there, but they must not be refused for their signature.
const encode = (some: string) =>
  encodeURIComponent(some).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const odd = fc.constantFrom(
  '',
  '.',
  '..',
  '+',
  '%25',
  'a b',
  'ü',
  '~',
  '*',
  "'",
  '日本',
  '=&?#',
  ';,:@$',
  '"<>"',
)
const visible = fc.stringMatching(/^[ -~äöü日😀]{0,12}$/u)
const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const requests = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'DELETE'),
  path: fc.array(fc.oneof(odd, visible), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/')),
  query: fc.dictionary(
    fc.oneof(
      word.map((name) => `x-${name}`),
      fc.constantFrom('prefix', 'Ä b'),
    ),
    fc.oneof(odd, visible),
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  ),
  metadata: fc.dictionary(word, fc.stringMatching(/^[!-~]([ -~]{0,18}[!-~])?$/), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})
type Odd = typeof requests extends fc.Arbitrary<infer T> ? T : never

const headersOf = ({ metadata }: Odd) =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]))

/** Sends a request exactly as it was signed: `fetch` would change the path. */
const send = async (method: string, url: string, headers: Record<string, string>) => {
  const { hostname, port, origin } = new URL(url)
  const sent = httpRequest({ method, hostname, port, path: url.slice(origin.length), headers })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

/** The same ones every time, unless the environment asks for others. */
const tries = (count: number) => ({
  numRuns: Number(process.env.FC_RUNS ?? count),
  seed: Number(process.env.FC_SEED ?? 1),
})

/** A proxy refuses paths that lead above the root itself. */
const passes = ({ isProxied }: Scene, path: string) => !isProxied || !path.split('/').includes('..')

/** Curl of Debian 12 signs parameters in the order in which they are sent, which must be that of their names. */
const inOrder = (query: Record<string, string>) =>
  Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')

/** That the bucket is missing is found out after the signature. */
const assertAccepted = (status: number, body: string, what: unknown) =>
  assert.equal(status, 404, `${body}\n${JSON.stringify(what)}`)

const startBotocore = ({ env }: Scene) => {
  const script = fileURLToPath(new URL('./support/botocore_signer.py', import.meta.url))
  return spawn('/usr/bin/python3', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] })
}

testEachWay('what botocore signs is accepted, in headers and in the query', async (scene) => {
  const { endpoint, accessKey, secretKey, region } = scene
  const child = startBotocore(scene)
  const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]()
  const sign = async (asked: object) => {
    child.stdin.write(`${JSON.stringify(asked)}\n`)
    let line = ''
    while (!line.endsWith('\n')) line += (await lines.next()).value
    return JSON.parse(line) as { url: string; headers: Record<string, string> }
  }
  const property = fc.asyncProperty(requests, fc.boolean(), async (some, isInQuery) => {
    const { method, path, query } = some
    fc.pre(passes(scene, path))
    const url = `${endpoint}/missing/${path.split('/').map(encode).join('/')}`
    const headers = isInQuery ? {} : headersOf(some)
    const signed = await sign({ method, url, headers, query, isInQuery, accessKey, secretKey, region })
    const { status, body } = await send(method, signed.url, signed.headers)
    assertAccepted(status, body, signed)
  })
  try {
    await fc.assert(property, tries(150))
  } finally {
    child.stdin.end()
  }
})

testEachWay('what curl --aws-sigv4 signs is accepted', async (scene) => {
  const { run, endpoint, accessKey, secretKey, region } = scene
  const property = fc.asyncProperty(requests, async (some) => {
    const { method, path, query } = some
    fc.pre(passes(scene, path))
    const place = `${endpoint}/missing/${path.split('/').map(encode).join('/')}`
    const url = Object.keys(query).length > 0 ? `${place}?${inOrder(query)}` : place
    const headers = Object.entries(headersOf(some)).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const found = await run('/usr/bin/curl', [
      ...['-sS', '--globoff', '--path-as-is', '--aws-sigv4', `aws:amz:${region}:s3`],
      ...['--user', `${accessKey}:${secretKey}`, '-w', '\n%{http_code}', ...headers],
      ...(method === 'HEAD' ? ['-I'] : ['-X', method]),
      url,
    ])
    assertAccepted(Number(found.slice(found.lastIndexOf('\n') + 1)), found, some)
  })
  await fc.assert(property, tries(40))
})
