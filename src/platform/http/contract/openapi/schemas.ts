import type { FastifyContextConfig } from 'fastify'

export type Json = Record<string, unknown>

/** An operation as the generator wrote it, and what the route says of itself. */
export type RouteFacts = { access: string; config: FastifyContextConfig; operation: Json }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapObject = (object: Json, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

/** A property with a default is filled in before it is validated, so a client may leave it out. */
export const withoutRequiredDefaults = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutRequiredDefaults)
  if (!isObject(value)) return value
  const { required, ...rest } = mapObject(value, withoutRequiredDefaults)
  if (!Array.isArray(required)) return required === undefined ? rest : { ...rest, required }
  const properties = (rest.properties ?? {}) as Record<string, Json | undefined>
  const demanded = required.filter((name) => properties[name]?.default === undefined)
  return demanded.length > 0 ? { ...rest, required: demanded } : rest
}

/** Records as fastify-swagger writes those of routes, so that a schema is the same wherever it is used. */
export const withPlainRecords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withPlainRecords)
  if (!isObject(value)) return value
  const { patternProperties, ...rest } = mapObject(value, withPlainRecords)
  if (!isObject(patternProperties)) return rest
  return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
}

/** Moves schemas that have a title into named components, and returns what is left of `value` and the components. */
export const hoistTitled = (value: unknown) => {
  const schemas: Json = {}
  const visit = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(visit)
    if (!isObject(item)) return item
    const seen = mapObject(item, visit)
    if (typeof seen.title !== 'string' || !('type' in seen || 'oneOf' in seen)) return seen
    const { title, ...schema } = seen
    const known = schemas[title]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are called ${title}`)
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  const rest = visit(value)
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { rest, schemas: sorted }
}
