import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'

type Operation = { operationId?: string; summary?: string; responses: Record<string, unknown> }
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

for (const service of ['storage', 'publishing', 'inventory'])
  test(`the OpenAPI document of ${service} is valid 3.1, and every operation has a name of its own`, async () => {
    const text = readFileSync(new URL(`../docs/openapi/${service}.json`, import.meta.url), 'utf8')
    const document = JSON.parse(text) as Document
    const result = await new Validator().validate(JSON.parse(text))
    assert.ok(result.valid, JSON.stringify(result.errors))
    assert.equal(document.openapi, '3.1.0')
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const names = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length)
    for (const { operationId, summary } of operations)
      assert.ok(operationId && summary, `${operationId}: ${summary}`)
  })
