import { type Media, type OpenApiDocument, resolve, type Schema, type SchemaObject } from './openapi.ts'
import { type Field, schemaObject, shapeOf, splitNull } from './shape.ts'

type Direction = 'request' | 'response'
type Context = { document: OpenApiDocument; direction: Direction; above: readonly string[] }

const formats: Record<string, string> = {
  'date-time': '2026-03-14T09:26:53.589Z',
  date: '2026-03-14',
  time: '09:26:53Z',
  email: 'ada@example.com',
  uuid: '0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/example',
  hostname: 'example.com',
  ipv4: '192.0.2.10',
  ipv6: '2001:db8::10',
  password: 'correct horse battery staple',
  byte: 'ZXhhbXBsZQ==',
}

/** Tried in turn against a pattern, for schemas that give no example of their own. */
const candidates = [
  'example',
  'Example',
  'EXAMPLE',
  'example-1',
  'example.txt',
  '1',
  '10.00',
  '123456',
  'USD',
  '#3b5bdb',
]

const matches = (pattern: string | undefined, text: string) => {
  if (pattern === undefined) return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

const stringExample = ({
  format,
  pattern,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: SchemaObject) => {
  const known = format === undefined ? undefined : formats[format]
  if (known !== undefined) return known.length <= maxLength ? known : known.slice(0, maxLength)
  const sized = candidates.map((text) => text.padEnd(Math.min(minLength, 64), 'e').slice(0, maxLength))
  return sized.find((text) => matches(pattern, text)) ?? sized[0]!
}

const numberExample = ({ minimum, maximum, exclusiveMinimum }: SchemaObject) => {
  const lowest = minimum ?? (typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1)
  return Math.min(Math.max(1, lowest), maximum ?? Number.POSITIVE_INFINITY)
}

const scalarExample = (type: string, schema: SchemaObject): unknown => {
  const [first] = type.split(' or ')
  if (first === 'string') return stringExample(schema)
  if (first === 'integer' || first === 'number') return numberExample(schema)
  if (first === 'boolean') return true
  return first === 'object' || first === 'any' ? {} : null
}

/** The example or default that the schema itself gives. A null is an example, but no useful default. */
const given = (schema: Schema) => {
  const { example, examples, default: standard } = splitNull(schema).schema
  return [example, examples?.[0], standard ?? undefined].find((value) => value !== undefined)
}

const hasExample = (schema: Schema) => {
  const { example, examples = [] } = schemaObject(schema)
  return example !== undefined || examples.length > 0
}

/** A request shows what must be sent and what has an example; only where that is nothing, everything. */
const shownFields = (fields: Field[], direction: Direction) => {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly'
  const visible = fields.filter(({ schema }) => schemaObject(schema)[hidden] !== true)
  if (direction === 'response') return visible
  const useful = visible.filter(({ schema, required }) => required || hasExample(schema))
  return useful.length > 0 ? useful : visible
}

const present = (entries: [string, unknown][]) =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

const build = (context: Context, schema: Schema): unknown => {
  const offered = given(schema)
  if (offered !== undefined) return offered
  const shape = shapeOf(context.document, schema)
  if (shape.kind === 'values') return shape.values[0]
  if (shape.kind === 'variants') return build(context, shape.variants[0] ?? {})
  if (shape.kind === 'scalar') return scalarExample(shape.type, splitNull(schema).schema)
  if (shape.kind === 'array') {
    const item = build(context, shape.items)
    return item === undefined ? [] : [item]
  }
  if (shape.kind === 'map') return present([['key', build(context, shape.items)]])
  if (shape.kind === 'object') {
    const fields = shownFields(shape.fields, context.direction)
    return present(fields.map((field) => [field.name, build(context, field.schema)]))
  }
  // A recursive schema is left out inside itself: an array of it is empty, a field of it is omitted.
  if (context.above.includes(shape.ref)) return splitNull(schema).nullable ? null : undefined
  const target = resolve(context.document, { $ref: shape.ref })
  return target ? build({ ...context, above: [...context.above, shape.ref] }, target) : {}
}

/** A value that fits the schema: its own example or default where it has one, else one made from its format. */
export const exampleOf = (document: OpenApiDocument, schema: Schema, direction: Direction): unknown =>
  build({ document, direction, above: [] }, schema)

export const mediaExample = (document: OpenApiDocument, media: Media, direction: Direction): unknown => {
  if (media.example !== undefined) return media.example
  const [named] = Object.values(media.examples ?? {})
  const value = named && resolve<{ value?: unknown }>(document, named)?.value
  return value ?? (media.schema === undefined ? undefined : exampleOf(document, media.schema, direction))
}
