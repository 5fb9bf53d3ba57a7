import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { cleanUp } from './cleanup.ts'
import type { Answer } from './client.ts'

type Response = { content?: Record<string, { schema: object }> }
type Operation = { responses: Record<string, Response | { $ref: string }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses?: Record<string, Response> }
}

type Checker = ReturnType<typeof checkerOf>

/** By the address of a service, until the file ends: a later one may get the same port. */
const checkers = new Map<string, Promise<Checker>>()

/** By name: the services of one file after another have the same document. */
const written = new Map<string, Checker>()

const readWritten = (service: string) => {
  const file = new URL(`../../docs/openapi/${service}.json`, import.meta.url)
  return checkerOf(JSON.parse(readFileSync(file, 'utf8')) as Document)
}

/**
 * Says that a service that was started is the one of this name. Its responses are validated against the document in
 * `docs/openapi`, which `npm run check` compares with its own: making that takes longer than starting the service.
 */
export const isService = (name: string, base: string) => {
  cleanUp(() => checkers.delete(base))
  checkers.set(base, Promise.resolve(written.getOrInsertComputed(name, readWritten)))
}

const readOwn = async (base: string) => {
  cleanUp(() => checkers.delete(base))
  return checkerOf((await (await fetch(`${base}/openapi.json`)).json()) as Document)
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

/** Validates a JSON response against the OpenAPI document of the service, for that operation and status. */
export const conformance = (base: string) => async (method: string, path: string, answer: Answer) => {
  if (answer.body === null) return
  const { known, validator, responseOf } = await checkers.getOrInsertComputed(base, readOwn)
  const bare = path.split('?')[0] as string
  const operation = known.find(
    ({ pattern, operations }) => pattern.test(bare) && operations[method.toLowerCase()],
  )?.operations[method.toLowerCase()]
  if (!operation) return
  const promised = responseOf(operation, answer.status)
  assert.ok(
    promised,
    `${method} ${bare} responded ${answer.status}, which is not documented (npm run openapi)`,
  )
  const schema = promised.content?.['application/json']?.schema
  if (!schema) return
  const validate = validator(schema)
  assert.ok(
    validate(answer.body),
    `${method} ${bare} ${answer.status}: ${JSON.stringify(validate.errors)}\n${answer.text.slice(0, 500)}`,
  )
}
