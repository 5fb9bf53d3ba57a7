/** As much of OpenAPI 3.1 as the reference shows. Whatever else a document holds is ignored. */
export type OpenApiDocument = {
  info: { title: string; version: string; description?: string }
  servers?: { url: string; description?: string }[]
  tags?: { name: string; description?: string }[]
  security?: SecurityRequirement[]
  paths?: Record<string, PathItem | undefined>
  webhooks?: Record<string, PathItem | undefined>
  components?: {
    schemas?: Record<string, Schema>
    securitySchemes?: Record<string, SecurityScheme | Ref>
  }
}

export type Ref = { $ref: string }
export type SecurityRequirement = Record<string, string[]>

export type SecurityScheme = {
  type: string
  description?: string
  name?: string
  in?: string
  scheme?: string
  bearerFormat?: string
}

export const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const
export type Method = (typeof methods)[number]

export type PathItem = { parameters?: (Parameter | Ref)[] } & { [M in Method]?: Operation }

export type Operation = {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  tags?: string[]
  security?: SecurityRequirement[]
  parameters?: (Parameter | Ref)[]
  requestBody?: RequestBody | Ref
  responses?: Record<string, Response | Ref>
}

type Described = { description?: string; required?: boolean; deprecated?: boolean }
type Content = Record<string, Media>

export type Media = {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value?: unknown } | Ref>
}
export type Header = Described & { schema?: Schema; example?: unknown; content?: Content }
export type Parameter = Header & { name: string; in: string }
export type RequestBody = { description?: string; required?: boolean; content?: Content }
export type Response = { description?: string; headers?: Record<string, Header | Ref>; content?: Content }

export type Schema = boolean | SchemaObject
export type SchemaObject = {
  $ref?: string
  title?: string
  description?: string
  type?: string | readonly string[]
  format?: string
  nullable?: boolean
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  example?: unknown
  examples?: readonly unknown[]
  deprecated?: boolean
  readOnly?: boolean
  writeOnly?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number | boolean
  exclusiveMaximum?: number | boolean
  multipleOf?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema
  minProperties?: number
  maxProperties?: number
  required?: readonly string[]
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}

const step = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

const pointer = (document: OpenApiDocument, ref: string) =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(step, document as unknown)

/** Follows references to the thing itself; one that leads nowhere, or in a circle, gives null. */
export const resolve = <T extends object>(document: OpenApiDocument, value: T | Ref, hops = 8): T | null => {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const target = hops > 0 ? pointer(document, value.$ref) : null
  return typeof target === 'object' && target !== null ? resolve(document, target as T | Ref, hops - 1) : null
}

/** An id that is valid in HTML, in a URL fragment and as part of a CSS selector. */
export const anchor = (text: string) => text.replace(/[^A-Za-z0-9_.-]+/g, '-')

export const schemaAnchor = (name: string) => `schema-${anchor(name)}`

/** The name of the component that a reference points at: the last part of its path. */
export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

export const jsonMedia = (type: string) => /[/+]json\b/i.test(type)
