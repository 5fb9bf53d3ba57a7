import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'

/** Warnings that stand, and why. */
const explained: Record<string, RegExp> = {
  // The documents in the repository are those of the default configuration.
  'no-server-example.com': /localhost/,
  // Health checks need no credentials, have no input, and are not limited.
  'operation-4xx-response': /at least one `4XX`/,
  // The contract gives the first, and it is found before all below the id of a product.
  'no-ambiguous-paths':
    /`\/api\/products\/categories\/\{id\}` and `\/api\/products\/\{id\}\/(?:images|label(?:\.pdf)?)`/,
}

const rules = {
  'no-invalid-schema-examples': 'warn',
  'no-invalid-parameter-examples': 'warn',
  'no-invalid-media-type-examples': 'warn',
} as const

for (const service of ['storage', 'publishing', 'inventory'])
  test(`Redocly finds nothing in the OpenAPI document of ${service} but what is explained`, async () => {
    const config = await createConfig({ extends: ['recommended'], rules })
    const ref = fileURLToPath(new URL(`../../docs/openapi/${service}.json`, import.meta.url))
    const problems = await lint({ ref, config })
    const unexplained = problems
      .filter(({ ruleId, message }) => !explained[ruleId]?.test(message))
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    assert.deepEqual(unexplained, [])
  })
