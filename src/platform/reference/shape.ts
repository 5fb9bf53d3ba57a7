import { type OpenApiDocument, resolve, type Schema, type SchemaObject } from './openapi.ts'

export type Field = { name: string; schema: Schema; required: boolean }

/** The kinds of schema that the reference distinguishes. */
export type Shape =
  | { kind: 'ref'; ref: string }
  | { kind: 'values'; values: readonly unknown[] }
  | { kind: 'variants'; variants: readonly Schema[] }
  | { kind: 'object'; fields: Field[]; additional: Schema | null }
  | { kind: 'array'; items: Schema }
  | { kind: 'map'; items: Schema }
  | { kind: 'scalar'; type: string }

export const isPlain = ({ kind }: Shape) => kind === 'values' || kind === 'scalar'

export const schemaObject = (schema: Schema | undefined): SchemaObject =>
  typeof schema === 'object' ? schema : {}

const isNull = (schema: Schema) => {
  const { type, const: constant } = schemaObject(schema)
  return type === 'null' || constant === null
}

type Split = { schema: SchemaObject; nullable: boolean }

const splitUnion = ({ anyOf, oneOf, ...rest }: SchemaObject, union: readonly Schema[]): Split => {
  const others = union.filter((option) => !isNull(option))
  if (others.length !== 1)
    return { schema: { ...rest, anyOf: others }, nullable: others.length < union.length }
  const only = splitNull(others[0])
  return { schema: { ...only.schema, ...rest }, nullable: only.nullable || union.length > 1 }
}

const splitTypes = (schema: SchemaObject, types: readonly string[]): Split => {
  const others = types.filter((type) => type !== 'null')
  const values = schema.enum && { enum: schema.enum.filter((value) => value !== null) }
  return { schema: { ...schema, ...values, type: others.length === 1 ? others[0]! : others }, nullable: true }
}

/** Takes "or null" out of a schema, however it was written. */
export const splitNull = (given: Schema | undefined): Split => {
  const schema = schemaObject(given)
  const union = schema.anyOf ?? schema.oneOf
  if (union) return splitUnion(schema, union)
  if (typeof schema.type === 'object' && schema.type.includes('null')) return splitTypes(schema, schema.type)
  return { schema, nullable: schema.nullable === true }
}

/** One object schema with the properties of all parts of an `allOf`. */
const merge = (
  document: OpenApiDocument,
  { allOf = [], ...own }: SchemaObject,
  depth: number,
): SchemaObject => {
  const parts = allOf.map((part) => flatten(document, resolve(document, schemaObject(part)) ?? {}, depth + 1))
  const all = [...parts, own]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => part.properties)),
    required: all.flatMap((part) => part.required ?? []),
  }
}

/** An `allOf` may lead back to itself through references: stop following it after a few levels. */
const flatten = (document: OpenApiDocument, schema: SchemaObject, depth = 0): SchemaObject =>
  schema.allOf && depth < 8 ? merge(document, schema, depth) : schema

const constants = (union: readonly Schema[]) => {
  const values = union.flatMap((option) => {
    const { const: constant, enum: options } = schemaObject(option)
    return constant !== undefined ? [constant] : (options ?? [undefined])
  })
  return values.includes(undefined) ? null : values
}

const objectShape = (schema: SchemaObject): Shape => {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  const fields = Object.entries(properties).map(([name, value]) => ({
    name,
    schema: value,
    required: required.includes(name),
  }))
  const additional =
    typeof additionalProperties === 'object'
      ? additionalProperties
      : Object.values(patternProperties ?? {})[0]
  return additional && fields.length === 0
    ? { kind: 'map', items: additional }
    : { kind: 'object', fields, additional: additional ?? null }
}

export const shapeOf = (document: OpenApiDocument, given: Schema | undefined): Shape => {
  const { schema: split } = splitNull(given)
  if (split.$ref) return { kind: 'ref', ref: split.$ref }
  const [only, second] = split.allOf ?? []
  if (only !== undefined && second === undefined && !split.properties && schemaObject(only).$ref)
    return { kind: 'ref', ref: schemaObject(only).$ref! }
  const schema = flatten(document, split)
  if (schema.const !== undefined) return { kind: 'values', values: [schema.const] }
  if (schema.enum) return { kind: 'values', values: schema.enum }
  if (schema.anyOf) {
    const values = constants(schema.anyOf)
    return values ? { kind: 'values', values } : { kind: 'variants', variants: schema.anyOf }
  }
  const { type } = schema
  if (type === 'array' || (!type && schema.items !== undefined))
    return { kind: 'array', items: schema.items ?? {} }
  if (type === 'object' || (!type && schema.properties)) return objectShape(schema)
  return { kind: 'scalar', type: typeof type === 'object' ? type.join(' or ') : (type ?? 'any') }
}

/** A reference to a plain value is shown as that value; what stands beside the reference takes precedence. */
export const inlinePlainRef = (document: OpenApiDocument, schema: Schema): Schema => {
  const shape = shapeOf(document, schema)
  const target = shape.kind === 'ref' ? resolve<SchemaObject>(document, { $ref: shape.ref }) : null
  if (!target || !isPlain(shapeOf(document, target))) return schema
  const { $ref, allOf, anyOf, ...own } = splitNull(schema).schema
  return { ...target, ...own }
}
