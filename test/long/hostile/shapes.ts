import { largest, type Schema } from './largest.ts'

/** Requests that are as large as they may be, and of shapes that careless code takes long for. */

/** Node refuses more than 16 KiB of headers, the path included. */
const maxHead = 15_000
const maxXml = 1024 * 1024 - 64

const fill = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length))
const long = (unit: string) => fill(unit, maxHead)

/** What is read to find out who is asking. */
export const credentials: readonly Record<string, string>[] = [
  { cookie: long('a=b; ') },
  { cookie: long('trivet_storage=x; ') },
  { cookie: long('trivet_publishing=x; ') },
  { cookie: long('trivet_inventory=x; ') },
  { cookie: long('=') },
  { authorization: `Bearer ${long('a.')}` },
  { authorization: `Bearer ${long('=')}` },
  { authorization: `Basic ${long('A')}` },
  { authorization: `AWS4-HMAC-SHA256 Credential=${long('a/')}, SignedHeaders=host, Signature=0` },
  { authorization: `AWS4-HMAC-SHA256 Credential=a/20260101/r/s3/aws4_request, SignedHeaders=${long('a;')}, Signature=0` },
  { authorization: `AWS4-HMAC-SHA256 ${long('Credential=,')}` },
  { 'x-api-key': long('obj_') },
  { 'x-forwarded-for': long('1.2.3.4, ') },
  { forwarded: long('for="[::1]";') },
] // biome-ignore format: one line each

/** What else a request may be decided by. One header each. */
export const headers: readonly Record<string, string>[] = [
  { accept: long('a/b,') },
  { accept: long('text/html;q=0.1,') },
  { 'accept-encoding': long('gzip;q=0.1, br;q=0,') },
  { 'accept-language': long('a-b;q=0.1,') },
  { range: `bytes=${long('0-1,')}` },
  { range: `bytes=${long('-')}` },
  { 'if-none-match': long('"a", ') },
  { 'if-none-match': `"${long('\\')}` },
  { 'if-match': long('W/"a",') },
  { 'if-modified-since': long(' ') },
  { 'if-range': long('"') },
  { traceparent: long('00-') },
  { 'x-request-id': long('-') },
  { 'idempotency-key': long('"') },
  { referer: `http://localhost/${long('../')}` },
  { 'user-agent': long('Mozilla/5.0 (') },
  { 'x-amz-tagging': long('a=b&') },
  { 'x-amz-copy-source': long('/%2F') },
  { 'x-amz-meta-a': long('=?UTF-8?Q?=41?=') },
  { 'x-amz-checksum-crc32': long('=') },
  { 'content-disposition': long('; filename*=a') },
  { 'content-type': `multipart/form-data;${long(' boundary=')}` },
  { 'content-type': `application/json${long('; a="\\')}` },
  { origin: long('http://a.'), 'access-control-request-method': 'PUT' },
  { ...Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-amz-meta-${n}`, ''])) },
] // biome-ignore format: one line each

/** What a preflight request may be made of. */
export const preflights: readonly Record<string, string>[] = [
  { origin: long('http://a.'), 'access-control-request-method': 'PUT' },
  { origin: 'http://a.example', 'access-control-request-method': 'PUT', 'access-control-request-headers': long('a,') },
  { origin: 'http://a.example', 'access-control-request-method': 'PUT', 'access-control-request-headers': long(' ,') },
] // biome-ignore format: one line each

const texts = [
  long('a'), long('/'), long('%2F'), long('%5C'), long('%22'), long('-x%20'), long('%20'), long('1'), long('%E2%80%8D'), long('%25'),
  long('%26lt%3B'), long('*'), long('(a'), long('%23a%20'), long('@a%20'), long('.'), long(','), long('%F0%9F%91%A9%E2%80%8D'),
] // biome-ignore format: as a list

/** `names`: those that the route knows. */
export const queries = (names: readonly string[]): string[] => [
  long('a=b&'),
  long('&'),
  long('='),
  long('%'),
  long('%2F=%2F&'),
  ...(names.length > 0 ? texts : []).map((text) => {
    const share = Math.floor(maxHead / names.length / 9) * 9 - names.length * 3
    return names.map((name) => `${name}=${text.slice(0, Math.max(9, share))}`).join('&')
  }),
  // As long as texts may be where their length is limited.
  ...(names.length > 0 ? texts : []).map((text) =>
    names.map((name) => `${name}=${text.slice(0, 180)}`).join('&'),
  ),
]

/** In the place of a parameter of a path. */
export const paths: readonly string[] = [
  long('a'), long('/'), `${long('/')}x`, `${long('\\')}`, `x${long('//')}x`, long('%2F'), long('%5C'), long('%'), long('..%2F'), long('@'),
  `@x${long('/')}x`, long('%E2%80%8D'), '%00', long('.'), long('-'), long('%20'),
] // biome-ignore format: as a list

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)

/** Bodies that are no business of any route. */
export const anyJson = (size: number): string[] => [
  fill('[', size),
  fill('{"a":', size),
  `[${fill('0,', size - 10)}0]`,
  `[${fill('{},', size - 10)}0]`,
  `[${fill(`${deep('[', ']', 90)},`, size - 10)}0]`,
  `{${Array.from({ length: Math.floor(size / 15) }, (_, n) => `"k${n}":0`).join()}}`,
  `{${fill('"a":0,', size - 20)}"a":0}`,
  `"${fill('\\\\', size - 10)}"`,
  `"${fill('\\u005f', size - 10)}"`,
  `[${fill('"__proto_",', size - 10)}0]`,
  `[${fill('"\\u005f_proto__",', size - 20)}0]`,
  `{"a":"\\u0000${fill('x', size - 30)}"}`,
  `{"a":${fill('1', size - 10)}}`,
  fill(' ', size),
  `{"a":"${fill('\\ud800', size - 20)}"}`,
]

const units = ['x', '\\"', '\\\\', '-', '/', ' ', '(a', '#a ', '@a ', '*a', '[a](', '`', '<', '&lt;', '\u200d', '\u{1F469}\u200d', 'a@', '.', '\\n', 'http://a ', '_a', '> ', '1.', '|', '~~'] // biome-ignore format: as a list

const largeUnits = ['\\\\', '@a ', '\u{1F469}\u200d']

const propertiesOf = (schema: Schema): Record<string, Schema> =>
  schema.properties ??
  Object.assign({}, ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].map(propertiesOf))

/** Bodies in which every field of the route's is what it should not be. */
const wrongJson = (schema: Schema, size: number): string[] => {
  const base = largest(schema, 1_000)
  if (typeof base !== 'object' || base === null || Array.isArray(base)) return []
  const names = Object.keys(propertiesOf(schema))
  if (names.length === 0) return []
  const share = Math.floor(size / names.length) - 40
  if (share < 100) return []
  const all = (of: string) => `{${names.map((name) => `${JSON.stringify(name)}:${of}`).join()}}`
  return [
    all(`[${fill('0,', share - 10)}0]`),
    all(`[${fill('{},', share - 10)}{}]`),
    all(`[${fill('"a",', share - 10)}"a"]`),
    all(`{${Array.from({ length: Math.floor(share / 14) }, (_, n) => `"k${n}":"v"`).join()}}`),
    all(`"${fill('x', share - 10)}"`),
    ...largeUnits.map((unit) => all(`"${fill(unit, share - 10)}"`)),
    // As long as limited texts may be, beside what else is needed.
    ...units.map((unit) =>
      JSON.stringify(base, (_, value) =>
        typeof value === 'string' && value.length > 60
          ? fill(unit, value.length).replace(/\\(.)/g, '$1')
          : value,
      ),
    ),
  ]
}

/** Bodies of up to so many bytes for a route with this schema. */
export const jsonBodies = (schema: Schema | undefined, size: number): string[] =>
  schema ? [JSON.stringify(largest(schema, size - 1_000)), ...wrongJson(schema, size)] : []

export const formBodies = (names: readonly string[]): string[] =>
  [
    fill('a=b&', 16_000),
    fill('%41=%41&', 16_000),
    fill('=&', 16_000),
    fill('+', 16_000),
    fill('a=%0D%0A', 16_000),
    fill('%', 16_000),
    fill('&', 1_000_000),
    ...texts.map((text) =>
      names
        .map((name) => `${name}=${text.slice(0, Math.max(9, Math.floor(14_000 / names.length) - 30))}`)
        .join('&'),
    ),
  ].filter((body) => body !== '')

const boundary = 'b'
export const multipartType = `multipart/form-data; boundary=${boundary}`

const part = (disposition: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`

export const multipartBodies = (): string[] => {
  const size = 2_000
  return [
    `form-data; name="${fill('\\', size)}`,
    `form-data; name="${fill('\\"', size)}`,
    `form-data; name=${fill('"', size)}`,
    `form-data; ${fill('name=', size)}`,
    `form-data; ${fill('; ', size)}`,
    `form-data; name="file"; filename="${fill('\\', size)}`,
    `form-data; name="file"; filename="${fill('/', size)}"`,
    `form-data; name="file"; filename*=UTF-8''${fill('%2F', size)}`,
    `form-data; name="file"; filename*=${fill("'", size)}`,
    `form-data; name="key"; filename*0="${fill('a', size)}`,
    `form-data${fill(';name="a"', size)}`,
  ]
    .map((disposition) => `${part(disposition, 'x')}--${boundary}--\r\n`)
    .concat([
      fill(`--${boundary}\r\n`, 900_000),
      fill(`\r\n--${boundary}`, 900_000),
      fill(part('form-data; name="a"', 'x'), 900_000),
      Array.from({ length: 300 }, (_, n) => part(`form-data; name="f${n}"`, '')).join(''),
      `--${boundary}\r\n${fill('a: b\r\n', 900_000)}`,
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n${fill(': ', 19_000)}`,
      part('form-data; name="policy"', fill('A', 19_000)),
      `${part('form-data; name="file"; filename="a"', fill('\r', 900_000))}--${boundary}--\r\n`,
      `${part('form-data; name="file"; filename="a"', fill(`\r\n-`, 900_000))}--${boundary}--\r\n`,
    ])
}

/** Documents for S3, up to 1 MiB. */
export const xmlBodies = (root: string): string[] => {
  const inside = (content: string) => `<${root}>${content}</${root}>`
  const room = maxXml - 2 * root.length - 20
  return [
    fill('<a>', maxXml),
    fill('<', maxXml),
    fill('&', maxXml),
    inside(fill('<a/>', room)),
    inside(fill('&amp;', room)),
    inside(fill('&#x41;', room)),
    inside(fill(']]>', room)),
    inside(fill('<!---->', room)),
    inside(`<!--${fill('-a', room - 10)}-->`),
    inside(`<![CDATA[${fill(']', room - 20)}]]>`),
    inside(fill(deep('<a>', '</a>', 8).replaceAll('</a>', '</a>'), room)),
    `<${root} ${Array.from({ length: 60_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    `<${root} ${Array.from({ length: 20_000 }, (_, n) => `xmlns:a${n}="u${n}"`).join(' ')}/>`,
    `<${root} a="${fill('&lt;', room - 20)}"/>`,
    `<${fill('a', maxXml - 10)}/>`,
    `<?xml version="1.0"${fill(' ', room)}?><${root}/>`,
    fill('<?a b?>', maxXml),
    `<!DOCTYPE ${fill('a [', room)}`,
    inside(fill(' ', room)),
    `${fill(' ', room)}<${root}/>`,
    inside(fill('<Object><Key>a</Key></Object>', room)),
  ]
}

/** The same for what each of them has in it. */
export const xmlLists = (root: string): string[] => {
  const inside = (content: string) => `<${root}>${content}</${root}>`
  const room = maxXml - 2 * root.length - 20
  return [
    inside(`<TagSet>${fill('<Tag><Key>a</Key><Value>b</Value></Tag>', room - 20)}</TagSet>`),
    inside(fill('<Part><PartNumber>1</PartNumber><ETag>"a"</ETag></Part>', room)),
    inside(fill('<Rule><ID>a</ID><Status>Enabled</Status><Filter><Prefix>a</Prefix></Filter></Rule>', room)),
    inside(fill('<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>', room)),
    inside(`<CORSRule>${fill('<AllowedOrigin>*</AllowedOrigin>', room - 30)}</CORSRule>`),
    inside(fill('<Grant><Permission>READ</Permission></Grant>', room)),
  ] // biome-ignore format: one line each
}
