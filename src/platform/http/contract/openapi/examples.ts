import { isObject, type Json } from './schemas.ts'

/**
 * Realistic values by the name of a field, which is enough for most, or by `Schema.field` (in an inline schema and for
 * parameters `operationId.field`). Optional fields of requests have an example only by the longer name, because the
 * reference shows those that have one.
 */
export type Examples = Record<string, unknown>

type Operations = Record<string, Record<string, Json>>
type Parameter = { name?: string; in?: string; required?: boolean; schema?: Json; example?: unknown }
type Place = { scope: string; isRequest: boolean }

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const fits = (schema: Json, value: unknown): boolean => {
  const union = schema.anyOf ?? schema.oneOf
  if (Array.isArray(union)) return union.some((one) => isObject(one) && fits(one, value))
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false
  if (typeof schema.pattern === 'string' && typeof value === 'string')
    if (!new RegExp(schema.pattern, 'u').test(value)) return false
  const types = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type))
  return types.includes(typeOf(value))
}

const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (!isObject(value)) return []
  const own = typeof value.$ref === 'string' ? [value.$ref.slice(value.$ref.lastIndexOf('/') + 1)] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}

/** The names of all schemas that request bodies are made of. */
const requestSchemas = (bodies: unknown[], schemas: Json) => {
  const names = new Set<string>()
  const add = (value: unknown) => {
    for (const name of refsIn(value))
      if (!names.has(name)) {
        names.add(name)
        add(schemas[name])
      }
  }
  add(bodies)
  return names
}

/** Gives the schemas and parameters of a document their examples. */
export const withExamples = (document: { paths: Operations; schemas: Json }, examples: Examples) => {
  const find = (scope: string, name: string, byNameAlone: boolean) =>
    [`${scope}.${name}`, ...(byNameAlone ? [name] : [])].find((key) => Object.hasOwn(examples, key))

  const property = (place: Place, name: string, value: unknown, isRequired: boolean) => {
    const schema = visit(value, place)
    if (!isObject(schema) || 'const' in schema) return schema
    const key = find(place.scope, name, isRequired || !place.isRequest)
    return key !== undefined && fits(schema, examples[key])
      ? { ...schema, examples: [examples[key]] }
      : schema
  }

  const visit = (value: unknown, place: Place): unknown => {
    if (Array.isArray(value)) return value.map((one) => visit(one, place))
    if (!isObject(value)) return value
    const { properties, ...rest } = value
    const seen = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, visit(one, place)]))
    if (!isObject(properties)) return properties === undefined ? seen : { ...seen, properties }
    const required = Array.isArray(value.required) ? value.required : []
    const changed = Object.entries(properties).map(([name, one]) => [
      name,
      property(place, name, one, required.includes(name)),
    ])
    return { ...seen, properties: Object.fromEntries(changed) }
  }

  const parameter = (scope: string, one: Parameter): Parameter => {
    if (!one.name || !one.schema) return one
    const key = find(scope, one.name, one.required === true)
    return key !== undefined && fits(one.schema, examples[key]) ? { ...one, example: examples[key] } : one
  }

  const operation = (one: Json): Json => {
    const scope = String(one.operationId)
    const parameters = one.parameters as Parameter[] | undefined
    return {
      ...one,
      ...(parameters && { parameters: parameters.map((each) => parameter(scope, each)) }),
      ...(isObject(one.requestBody) && { requestBody: visit(one.requestBody, { scope, isRequest: true }) }),
      responses: visit(one.responses, { scope, isRequest: false }),
    }
  }

  const bodies = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ requestBody }) => requestBody),
  )
  const inRequests = requestSchemas(bodies, document.schemas)
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(one)])),
  ])
  const schemas = Object.entries(document.schemas).map(([scope, schema]) => [
    scope,
    visit(schema, { scope, isRequest: inRequests.has(scope) }),
  ])
  return { paths: Object.fromEntries(paths) as Operations, schemas: Object.fromEntries(schemas) as Json }
}
