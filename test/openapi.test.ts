import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { curlExample } from '#platform/reference/curl.ts'
import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import { entriesOf } from '#platform/reference/operation.ts'
import { successExample } from '#platform/reference/responses.ts'

type Parameter = { name: string; required?: boolean; schema?: { default?: unknown } }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: object
  responses: Record<string, unknown>
}
type Document = Omit<OpenApiDocument, 'paths' | 'tags'> & {
  openapi: string
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}
type Schema = { required?: string[]; properties?: Record<string, { default?: unknown }> }

/** The names of properties below `value` that have a default and are required all the same. */
const requiredDefaults = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { required = [], properties = {} } = value as Schema
  const own = Array.isArray(required)
    ? required.filter((name) => properties[name]?.default !== undefined)
    : []
  return [...own, ...Object.values(value).flatMap(requiredDefaults)]
}

/** The patterns below `value`, and below what it refers to, that have no words for input that does not match. */
const wordlessPatterns = (document: Document, value: unknown, seen = new Set<string>()): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { pattern, $ref, 'x-reason': words } = value as Record<string, unknown>
  const own = typeof pattern === 'string' && words === undefined ? [pattern] : []
  const below = Object.values(value).flatMap((part) => wordlessPatterns(document, part, seen))
  if (typeof $ref !== 'string' || seen.has($ref)) return [...own, ...below]
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
  return [...own, ...below, ...wordlessPatterns(document, target, seen.add($ref))]
}

const documentOf = (service: string) =>
  JSON.parse(readFileSync(new URL(`../docs/openapi/${service}.json`, import.meta.url), 'utf8')) as Document
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((path) => Object.values(path))

for (const service of ['storage', 'publishing', 'inventory']) {
  test(`the OpenAPI document of ${service} is valid 3.1, and every operation has a name of its own`, async () => {
    const document = documentOf(service)
    const result = await new Validator().validate(documentOf(service))
    assert.ok(result.valid, JSON.stringify(result.errors))
    assert.equal(document.openapi, '3.1.0')
    const names = operationsOf(document).map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length)
    for (const { operationId, summary } of operationsOf(document))
      assert.ok(operationId && summary, `${operationId}: ${summary}`)
  })

  test(`nothing that has a default is required in the OpenAPI document of ${service}`, () => {
    const document = documentOf(service)
    assert.deepEqual(requiredDefaults(document), [])
    for (const { operationId, parameters = [] } of operationsOf(document))
      for (const { name, required, schema } of parameters)
        assert.ok(!required || schema?.default === undefined, `${operationId}: ${name}`)
  })

  test(`no input of ${service} is refused with a regular expression instead of words`, () => {
    const document = documentOf(service)
    for (const { operationId, parameters, requestBody } of operationsOf(document))
      assert.deepEqual(wordlessPatterns(document, { parameters, requestBody }), [], String(operationId))
  })

  test(`every operation of ${service} has a description and examples that look like real data`, () => {
    const document = documentOf(service)
    for (const { operationId, description = '' } of operationsOf(document))
      assert.ok(description.length >= 40, `${operationId}: ${description}`)
    for (const entry of entriesOf(document)) {
      const shown = `${curlExample(entry)}\n${successExample(document, entry.operation) ?? ''}`
      const lines = shown.replaceAll('example.com', '').split('\n')
      const placeholders = lines.filter((line) => /example/i.test(line))
      assert.deepEqual(placeholders, [], entry.id)
    }
  })

  test(`every operation of ${service} lists its refusals and belongs to a described group`, () => {
    const document = documentOf(service)
    const groups = new Set(document.tags.filter(({ description }) => description).map(({ name }) => name))
    for (const { operationId, tags, responses } of operationsOf(document)) {
      assert.ok(tags.length > 0 && tags.every((tag) => groups.has(tag)), `${operationId}: ${tags}`)
      if (!tags.includes('System'))
        assert.ok('429' in responses && '500' in responses, `${operationId}: ${Object.keys(responses)}`)
    }
  })
}

test('objects can be uploaded with a client that was generated from the OpenAPI document', () => {
  const upload = operationsOf(documentOf('storage')).filter(({ operationId }) =>
    ['putObject', 'uploadObject', 'uploadPart', 'uploadWithSignedUrl'].includes(operationId ?? ''),
  )
  assert.equal(upload.length, 4)
  for (const { operationId, requestBody } of upload) assert.ok(requestBody, `${operationId} has no body`)
})
