import assert from 'node:assert/strict'
import { Ajv, type ValidateFunction } from 'ajv'
import { cleanUp } from './cleanup.ts'
import type { Answer } from './client.ts'

type Response = { content?: Record<string, { schema: object }> }
type Operation = { responses: Record<string, Response | { $ref: string }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses?: Record<string, Response> }
}

/** By the address of a service, until the file ends: a later one may get the same port. */
const documents = new Map<string, ReturnType<typeof read>>()

/** By its text: the services of one file after another have the same document, and compiling it takes long. */
const checkers = new Map<string, ReturnType<typeof checkerOf>>()

const read = async (base: string) => {
  cleanUp(() => documents.delete(base))
  const text = (await (await fetch(`${base}/openapi.json`)).text()).replaceAll(base, '')
  const found = checkers.get(text) ?? checkerOf(JSON.parse(text) as Document)
  checkers.set(text, found)
  return found
}

const checkerOf = (document: Document) => {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false })
  const compiled = new Map<object, ValidateFunction>()
  const known = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    literal: path.replace(/\{[^}]+\}/g, '').length,
    operations,
  }))
  return {
    known: known.sort((a, b) => b.literal - a.literal),
    responseOf: ({ responses }: Operation, status: number): Response | undefined => {
      const found = responses[status]
      if (!found || !('$ref' in found)) return found
      return document.components.responses?.[found.$ref.split('/').at(-1) as string]
    },
    validator(schema: object) {
      const found = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components })
      compiled.set(schema, found)
      return found
    },
  }
}

/** Validates a JSON response against the service's OpenAPI document for that operation and status. */
export const conformance = (base: string) => async (method: string, path: string, answer: Answer) => {
  if (answer.body === null) return
  if (!documents.has(base)) documents.set(base, read(base))
  const { known, validator, responseOf } = await (documents.get(base) as ReturnType<typeof read>)
  const bare = path.split('?')[0] as string
  const operation = known.find(
    ({ pattern, operations }) => pattern.test(bare) && operations[method.toLowerCase()],
  )?.operations[method.toLowerCase()]
  if (!operation) return
  const promised = responseOf(operation, answer.status)
  assert.ok(promised, `${method} ${bare} responded ${answer.status}, which is not documented`)
  const schema = promised.content?.['application/json']?.schema
  if (!schema) return
  const validate = validator(schema)
  assert.ok(
    validate(answer.body),
    `${method} ${bare} ${answer.status}: ${JSON.stringify(validate.errors)}\n${answer.text.slice(0, 500)}`,
  )
}
