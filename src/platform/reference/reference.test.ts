import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { OpenApiDocument, Operation, Schema } from './openapi.ts'
import { referenceCsp, renderReference } from './reference.ts'

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const options = { service: 'storage' } as const

const document = (
  paths: OpenApiDocument['paths'] = {},
  schemas: Record<string, Schema> = {},
): OpenApiDocument => ({
  info: {
    title: 'Sample',
    version: '1.0.0',
    description: 'About **it**.\n\n- one `a<b`\n- [two](https://example.com/)',
  },
  servers: [{ url: 'http://localhost:4001' }],
  security: [{ key: [], secret: [] }],
  paths,
  components: {
    schemas: {
      Error: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      ...schemas,
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      secret: { type: 'apiKey', in: 'header', name: 'X-Api-Secret' },
      session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From `POST /login`.' },
    },
  },
})

const render = (...given: Parameters<typeof document>) => renderReference(document(...given), options)
const post = (operation: Operation) => ({ '/things': { post: { operationId: 'createThing', ...operation } } })
const decode = (text: string) =>
  text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
/** The text of the page as a reader sees it, without navigation. */
const readable = (page: string) => decode(page.slice(page.indexOf('<main'))).replace(/\s+/g, ' ')
const code = (page: string, title: string) => {
  const [, text] =
    new RegExp(`<figcaption>${title}</figcaption><pre[^>]*><code>([\\s\\S]*?)</code>`).exec(page) ?? []
  assert.ok(text !== undefined, `the page has code titled ${title}`)
  return decode(text)
}
const body = (properties: Record<string, Schema>, required: string[] = []) =>
  render(post({ requestBody: json({ type: 'object', properties, required }) }))

test('each type of event is shown with what it tells, and an example with its headers', () => {
  const sent = (data: Schema): Operation => ({
    summary: 'Something happened',
    parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
    requestBody: json({
      type: 'object',
      properties: { type: { const: 'thing.made' }, data },
    }),
  })
  const webhooks = {
    'thing.made': { post: sent(ref('Error')) },
    'thing.gone': { post: sent({ type: 'object', properties: { reason: { type: 'string' } } }) },
  }
  const page = renderReference({ ...document(), webhooks }, options)
  assert.match(page, /href="#event-types"/)
  for (const type of Object.keys(webhooks)) assert.match(page, new RegExp(`id="event-${type}"`))
  const text = readable(page)
  for (const word of ['Event types', 'webhook-id', 'Something happened', 'reason'])
    assert.ok(text.includes(word), word)
  assert.deepEqual(JSON.parse(code(page, 'thing.made')), { type: 'thing.made', data: { message: 'example' } })
  assert.doesNotMatch(render(), /event-types/)
})

test('the reference is one page that loads nothing but its icons, and its policy allows only its own style and script', () => {
  const page = render()
  assert.match(page, /^<!doctype html>/)
  assert.match(page, /<html lang="en" data-service="storage">/)
  const data = '<script type="application/json" id="trials">'
  const code = page.replace(data, '')
  assert.equal(code.match(/<(?:style|script)\b/g)?.length, code.match(/<(?:style|script)>/g)?.length)
  assert.doesNotMatch(page, /\bsrc=|@import|url\(|\sstyle=|\son[a-z]+="/)
  assert.match(page, /<link rel="icon" href="favicon\.svg" type="image\/svg\+xml">/)
  assert.match(referenceCsp(), /default-src 'none'/)
  for (const kind of ['style', 'script']) {
    const text = new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`).exec(page)?.[1] as string
    const hash = createHash('sha256').update(text).digest('base64')
    assert.ok(referenceCsp().includes(`${kind}-src 'sha256-${hash}'`), kind)
  }
})

test('the reference shows hostile text in every field as text', () => {
  const evil = `x"'><img src=x onerror=alert(1)><script>alert(2)</script>&amp; [l](javascript:alert(3)) \`<u>\``
  const schema: Schema = {
    type: 'object',
    title: evil,
    description: evil,
    required: [evil],
    properties: {
      [evil]: {
        type: 'string',
        pattern: evil,
        format: evil,
        description: evil,
        default: evil,
        examples: [evil],
      },
      choice: { enum: [evil, null] },
      either: { oneOf: [{ title: evil, type: 'object', properties: { [evil]: true } }, ref(evil)] },
    },
  }
  const page = renderReference(
    {
      info: { title: evil, version: evil, description: `${evil}\n\n- ${evil}\n\n1. ${evil}` },
      servers: [{ url: evil, description: evil }],
      tags: [{ name: evil, description: evil }],
      paths: {
        [`/${evil}/{${evil}}`]: {
          post: {
            operationId: evil,
            summary: evil,
            description: evil,
            tags: [evil],
            security: [{ [evil]: [evil] }, { missing: [evil] }],
            parameters: ['path', 'query', 'header'].map((place) => ({
              name: evil,
              in: place,
              required: true,
              description: evil,
              schema: { type: 'string', pattern: evil },
            })),
            requestBody: {
              description: evil,
              content: { [evil]: { schema }, 'application/json': { schema } },
            },
            responses: {
              200: { description: evil, headers: { [evil]: { description: evil } }, ...json(schema) },
              [evil]: { description: evil, ...json(ref(evil)) },
            },
          },
        },
      },
      components: {
        schemas: { [evil]: schema },
        securitySchemes: { [evil]: { type: 'apiKey', in: 'header', name: evil, description: evil } },
      },
    },
    { service: 'storage' },
  )
  const markup = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>')
  const [, data = ''] = /<script type="application\/json" id="trials">([^<]*)<\/script>/.exec(markup) ?? []
  assert.ok(JSON.parse(data))
  const tags = markup.match(/<[^!][^>]*>?/g) ?? []
  assert.ok(tags.length > 100)
  for (const tag of tags) assert.match(tag, /^<\/?[a-z]+[1-5]?(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\/?>$/)
  assert.doesNotMatch(markup, /<(?:img|u)\b|href="javascript/)
  assert.equal(markup.match(/<script/g)?.length, 2)
})

test('every link within the reference leads somewhere, and no id is used twice', () => {
  const page = render(
    {
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          tags: ['Things & more'],
          responses: {
            200: json({ type: 'array', items: ref('Thing') }),
            404: json(ref('Error')),
            409: json(ref('Gone')),
          },
        },
        delete: { tags: ['Things & more'] },
      },
      '/open': { get: { security: [{ nowhere: [] }] } },
    },
    { Thing: { properties: { error: ref('Error') } } },
  )
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
  const targets = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id!)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    targets.filter((target) => !ids.includes(target)),
    [],
  )
  for (const id of [
    'getThing',
    'delete-things-id-',
    'tag-Things-more',
    'schema-Thing',
    'auth-session',
    'errors',
  ])
    assert.ok(ids.includes(id), id)
})

test('the reference puts types and constraints into words', () => {
  const text = readable(
    body(
      {
        name: { type: 'string', minLength: 3, maxLength: 63, pattern: '^[a-z0-9-]+$' },
        limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
        id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        price: { type: 'number', exclusiveMinimum: 0 },
        seen: { type: ['string', 'null'], format: 'date-time' },
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] },
        keys: { type: 'array', minItems: 1, items: { type: 'string', maxLength: 9 } },
        labels: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } },
        either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        error: { anyOf: [ref('Error'), { type: 'null' }] },
      },
      ['name'],
    ),
  )
  for (const words of [
    'namestring required 3–63 characters, ^[a-z0-9-]+$',
    'limitinteger 1–200, default 50',
    'idinteger at least 1price',
    'pricenumber more than 0',
    'seenstring (date-time) or null',
    'kindstring or null one of a b',
    'keysarray of string at least 1 item, each at most 9 characters',
    'labelsmap of integer',
    'eitherstring or integer',
    'errorError or null',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
})

test('the reference folds nested objects and labels variants', () => {
  const page = body({
    place: { type: 'object', properties: { city: { type: 'string' } } },
    payment: {
      oneOf: [
        { title: 'Card', type: 'object', properties: { token: { type: 'string' } } },
        { type: 'object', properties: { iban: { type: 'string' } } },
      ],
    },
  })
  assert.match(page, /<details><summary>1 field<\/summary><ul class="fields"><li><code>city</)
  assert.match(
    page,
    /<summary>2 variants<\/summary>.*<b>Card<\/b>.*<code>token<.*<b>Variant 2<\/b>.*<code>iban</s,
  )
})

test('a schema that contains itself ends in the tree and in the example of the reference', () => {
  const page = render(
    {
      '/tree': { get: { responses: { 200: json(ref('Node')) } } },
      '/loop': { get: { responses: { 200: json(ref('Loop')) } } },
    },
    {
      Node: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: ref('Node') },
          parent: { anyOf: [ref('Node'), { type: 'null' }] },
        },
      },
      Loop: ref('Loop'),
      Both: { allOf: [ref('Both'), { type: 'object', properties: { left: ref('Both') } }] },
    },
  )
  assert.deepEqual(JSON.parse(code(page, 'Response 200')), { name: 'example', children: [], parent: null })
})

test('the reference shows the parts of an allOf as one object', () => {
  const page = render(
    post({
      requestBody: json({
        allOf: [ref('Base'), { type: 'object', required: ['b'], properties: { b: { type: 'integer' } } }],
      }),
    }),
    { Base: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
  )
  assert.match(readable(page), /astring requiredbinteger required/)
  assert.match(code(page, 'curl'), /"a": "example",\s+"b": 1/)
})

/** What a shell passes to curl, one argument a line. */
const runCurl = (command: string) => {
  const { stdout, status } = spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], {
    encoding: 'utf8',
    env: { ...process.env, API_KEY: 'k$1', API_SECRET: 's"2', TOKEN: 't' },
  })
  assert.equal(status, 0)
  return stdout.trimEnd().split('\n')
}

test('the curl example is a command with address, credentials and body', () => {
  const page = render({
    '/buckets/{name}/things': {
      parameters: [
        { name: 'name', in: 'path', required: true, schema: { type: 'string', examples: ["it's a/b"] } },
      ],
      post: {
        parameters: [
          { name: 'mode', in: 'query', required: true, schema: { enum: ['a&b'] } },
          { name: 'skipped', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: json({
          type: 'object',
          required: ['email', 'note'],
          properties: {
            id: { type: 'string', readOnly: true },
            email: { type: 'string', format: 'email' },
            note: { type: 'string', examples: [`it's "$HOME"`] },
            optional: { type: 'string' },
          },
        }),
      },
    },
  })
  const [verb, method, address, ...rest] = runCurl(code(page, 'curl'))
  assert.deepEqual([verb, method], ['-X', 'POST'])
  assert.equal(address, "http://localhost:4001/buckets/it's%20a%2Fb/things?mode=a%26b")
  assert.deepEqual(rest.slice(0, 7), [
    '-H',
    'X-Api-Key: k$1',
    '-H',
    'X-Api-Secret: s"2',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  assert.deepEqual(JSON.parse(rest.slice(7).join('\n')), { email: 'ada@example.com', note: `it's "$HOME"` })
})

test('the curl example sends files as form fields or as raw bytes', () => {
  const upload = (content: NonNullable<Operation['requestBody']>) =>
    runCurl(code(render(post({ security: [{ session: [] }], requestBody: content })), 'curl')).slice(3)
  const file: Schema = { type: 'string', format: 'binary' }
  const form: Schema = {
    type: 'object',
    required: ['file', 'key'],
    properties: { file, key: { const: 'a b' } },
  }
  const token = ['-H', 'Authorization: Bearer t']
  assert.deepEqual(upload({ content: { 'multipart/form-data': { schema: form } } }), [
    ...token,
    '-F',
    'file=@photo.jpg',
    '-F',
    'key=a b',
  ])
  assert.deepEqual(upload({ content: { 'image/png': { schema: file } } }), [
    ...token,
    '-H',
    'Content-Type: image/png',
    '--data-binary',
    '@photo.jpg',
  ])
})

test('the reference says for every operation which credentials it needs', () => {
  const access = (operation: Operation) =>
    /<p class="access">(?!The same)(.*?)<\/p>/.exec(render(post(operation)))?.[1]
  assert.equal(decode(access({})!), 'Needs X-Api-Key with X-Api-Secret')
  assert.equal(
    decode(access({ security: [{ session: [] }, { key: ['write'] }] })!),
    'Needs Bearer token or X-Api-Key write',
  )
  assert.equal(decode(access({ security: [] })!), 'Public, no credentials')
  assert.equal(decode(access({ security: [{}, { session: [] }] })!), 'Public, or more with Bearer token')
})

test('the reference explains the error body that most operations share once, and any other in its place', () => {
  const own: Schema = { type: 'object', properties: { decline: { type: 'string', enum: ['funds'] } } }
  const page = render(
    post({
      responses: {
        201: { description: 'Default Response' },
        400: { description: 'Default Response', ...json(ref('Error')) },
        402: { description: 'Refused by the bank.', ...json(own) },
        409: json(ref('Error')),
      },
    }),
  )
  const text = readable(page)
  assert.match(
    text,
    /Responses201 Created402 Refused by the bank\..*400 Bad Request409 ConflictWith the usual error body/,
  )
  assert.deepEqual(JSON.parse(code(page, 'Error')), { message: 'example' })
  assert.deepEqual(JSON.parse(code(page, 'Example')), { decline: 'funds' })
})

test('descriptions in the reference are Markdown with safe links and without images', () => {
  const page = render()
  assert.match(page, /<p>About <strong>it<\/strong>\.<\/p>\s*<ul>\s*<li>one <code>a&lt;b<\/code><\/li>/)
  assert.match(page, /<li><a href="https:\/\/example\.com\/">two<\/a><\/li>/)
  const hostile =
    '[a](javascript:x) [b](data:image/png;x) [c](vbscript:x) ![d](https://example.com/d.png) <b>'
  const operation = render(post({ description: hostile })).split('class="operation"')[1]!
  const [, shown] = /<div class="prose">(.*?)<\/div>/s.exec(operation) ?? []
  assert.deepEqual(shown?.match(/<[^>]*>/g), ['<p>', '<a href="https://example.com/d.png">', '</a>', '</p>'])
})

test('the reference lists declared tags first and in their order, and operations without a tag too', () => {
  const page = renderReference(
    {
      ...document({
        '/b': { get: { tags: ['B'] } },
        '/a': { get: { tags: ['A'] } },
        '/x': { get: {} },
        '/c': { get: { tags: ['C'] } },
      }),
      tags: [{ name: 'A' }, { name: 'Unused' }, { name: 'B' }],
    },
    options,
  )
  const headings = [...page.matchAll(/<section class="part" id="[^"]*"><h2>([^<]*)/g)].map(([, name]) => name)
  assert.deepEqual(headings, ['A', 'B', 'Other', 'C'])
})

test('a reference of 80 operations stays below 640 KB, and below 40 KB compressed', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 14 }, (_, i) => [
      `field_${i}`,
      { type: 'string', maxLength: 200, description: 'Says something useful.' },
    ]),
  )
  const operation: Operation = {
    description: 'What it does, in a sentence or two that a reader needs.',
    requestBody: json(ref('Thing')),
    responses: {
      200: json(ref('Thing')),
      ...Object.fromEntries([400, 401, 403, 404, 409].map((status) => [status, json(ref('Error'))])),
    },
  }
  const paths = Object.fromEntries(
    Array.from({ length: 80 }, (_, i) => [`/things/${i}/parts/{id}`, { put: operation }]),
  )
  const page = render(paths, { Thing: { type: 'object', properties } })
  assert.equal(page.match(/class="operation"/g)?.length, 80)
  assert.ok(Buffer.byteLength(page) < 640_000, `${Buffer.byteLength(page)} bytes`)
  const sent = gzipSync(page).byteLength
  assert.ok(sent < 40_000, `${sent} bytes`)
})
