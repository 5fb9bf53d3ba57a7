/** Makes the largest values that a JSON schema allows, as far as they fit into a budget of bytes. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  minLength?: number
  maxLength?: number
  maximum?: number
  minimum?: number
  maxItems?: number
  maxProperties?: number
  examples?: unknown[]
  example?: unknown
  default?: unknown
}

const formats: Record<string, string> = {
  email: 'somebody@example.com',
  uuid: '0195f000-0000-7000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T00:00:00Z',
  uri: 'https://example.com/',
  password: 'correct horse',
}

const text = ({ format, pattern, maxLength, enum: words, examples, example }: Schema, budget: number) => {
  if (words) return words[0]
  const given = examples?.[0] ?? example
  if (format && format !== 'binary') return given ?? formats[format] ?? 'x'
  if (pattern) return given ?? 'x'
  return 'x'.repeat(Math.max(1, Math.min(maxLength ?? budget, budget)))
}

const typeOf = ({ type, properties, items }: Schema) =>
  [type].flat().find((one) => one !== 'null') ?? (properties ? 'object' : items ? 'array' : undefined)

export const largest = (schema: Schema, budget: number, depth = 0): unknown => {
  if (schema.const !== undefined) return schema.const
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return largest(first, budget, depth)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((one) => largest(one, budget, depth) as object))
  const type = typeOf(schema)
  if (depth > 20) return null
  if (type === 'string') return text(schema, budget)
  if (type === 'integer' || type === 'number')
    return schema.enum?.[0] ?? schema.examples?.[0] ?? Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  if (type === 'array') {
    const item = largest(schema.items ?? {}, Math.min(budget, 500), depth + 1)
    const size = JSON.stringify(item ?? null).length + 1
    const length = Math.min(schema.maxItems ?? 200_000, Math.max(1, Math.floor(budget / size)))
    return Array.from({ length }, () => item)
  }
  const properties = Object.entries(schema.properties ?? {})
  const share = Math.floor(budget / Math.max(1, properties.length)) - 40
  const made = properties.map(([name, one]) => [name, largest(one, share, depth + 1)])
  const more = typeof schema.additionalProperties === 'object' || schema.patternProperties
  if (more || (type === 'object' && properties.length === 0)) {
    const names = Math.min(schema.maxProperties ?? 50_000, Math.floor(budget / 20))
    for (let n = 0; n < names; n++) made.push([`name-${n}`, 'value'])
  }
  return Object.fromEntries(made)
}
