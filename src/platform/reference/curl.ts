import { exampleOf, mediaExample } from './example.ts'
import type { Media, Method, OpenApiDocument, Operation, Parameter, RequestBody } from './openapi.ts'
import { jsonMedia } from './openapi.ts'
import { alternatives, type NamedScheme, placeholder } from './security.ts'
import { schemaObject, shapeOf } from './shape.ts'

export type Call = {
  document: OpenApiDocument
  method: Method
  path: string
  operation: Operation
  parameters: Parameter[]
  body: RequestBody | null
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
/** Double quotes let the shell fill in the credential's variable; everything else stays as it is. */
const withVariable = (before: string, variable: string) =>
  `"${before.replace(/["$`\\]/g, '\\$&')}$${variable}"`

export const baseUrl = (document: OpenApiDocument) => (document.servers?.[0]?.url ?? '').replace(/\/$/, '')

export const parameterExample = ({ document }: Call, { example, schema = {} }: Parameter) => {
  const value = example ?? exampleOf(document, schema, 'request')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A `*` parameter takes the rest of the path, slashes and all. */
const encodeSegment = (name: string, value: string) =>
  name === '*' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)

const isShown = ({ required, example, schema }: Parameter) =>
  required === true || example !== undefined || schemaObject(schema).examples !== undefined

const url = (call: Call) => {
  const within = (place: string) => call.parameters.filter((parameter) => parameter.in === place)
  const path = within('path').reduce(
    (whole, parameter) =>
      whole.replaceAll(`{${parameter.name}}`, () =>
        encodeSegment(parameter.name, parameterExample(call, parameter)),
      ),
    call.path,
  )
  const query = within('query')
    .filter(isShown)
    .map(
      (parameter) =>
        `${encodeURIComponent(parameter.name)}=${encodeURIComponent(parameterExample(call, parameter))}`,
    )
  return quote(baseUrl(call.document) + path + (query.length > 0 ? `?${query.join('&')}` : ''))
}

const credential = ({ name, scheme }: NamedScheme) => {
  const field = scheme.name ?? name
  if (scheme.type === 'apiKey' && scheme.in === 'query')
    return `--url-query ${withVariable(`${field}=`, placeholder(field))}`
  if (scheme.type === 'apiKey' && scheme.in === 'cookie')
    return `-b ${withVariable(`${field}=`, placeholder(field))}`
  if (scheme.type === 'apiKey') return `-H ${withVariable(`${field}: `, placeholder(field))}`
  if (scheme.type === 'http' && scheme.scheme?.toLowerCase() === 'basic') return '-u "$USERNAME:$PASSWORD"'
  return `-H ${withVariable('Authorization: Bearer ', 'TOKEN')}`
}

const formFields = (document: OpenApiDocument, media: Media) => {
  const shape = shapeOf(document, media.schema)
  const files =
    shape.kind === 'object' ? shape.fields.filter(({ schema }) => isBinary(schemaObject(schema))) : []
  const names = new Set(files.map((file) => file.name))
  const example = mediaExample(document, media, 'request')
  const values = Object.entries(typeof example === 'object' && example !== null ? example : {})
  return [
    ...[...names].map((name) => `-F ${quote(`${name}=@photo.jpg`)}`),
    ...values
      .filter(([name]) => !names.has(name))
      .map(
        ([name, value]) =>
          `-F ${quote(`${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)}`,
      ),
  ]
}

const isBinary = (schema: { format?: string; contentMediaType?: string }) =>
  schema.format === 'binary' || schema.contentMediaType !== undefined

const bodyArguments = ({ document, body }: Call): string[] => {
  const [entry] = Object.entries(body?.content ?? {})
  if (!entry) return []
  const [type, media] = entry
  if (type === 'multipart/form-data') return formFields(document, media)
  const example = mediaExample(document, media, 'request')
  const header = `-H ${quote(`Content-Type: ${type.includes('*') ? 'application/octet-stream' : type}`)}`
  if (jsonMedia(type)) return [header, `-d ${quote(JSON.stringify(example ?? {}, null, 2))}`]
  const inline = typeof example === 'string' && type.startsWith('text/') && example.includes('\n')
  const file = type === 'text/csv' ? 'products.csv' : 'photo.jpg'
  return [header, `--data-binary ${inline ? quote(example) : `@${file}`}`]
}

/** A command that works once the shell variables of its credentials are set. */
export const curlExample = (call: Call): string => {
  // Optional ones, such as conditions, would change what the command does.
  const headers = call.parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
  const schemes = alternatives(call.document, call.operation).find((set) => set.length > 0) ?? []
  const verb =
    call.method === 'get' ? '' : call.method === 'head' ? '-I ' : `-X ${call.method.toUpperCase()} `
  return [
    `curl ${verb}${url(call)}`,
    ...schemes.map(credential),
    ...headers.map((header) => `-H ${quote(`${header.name}: ${parameterExample(call, header)}`)}`),
    ...bodyArguments(call),
  ].join(' \\\n  ')
}
