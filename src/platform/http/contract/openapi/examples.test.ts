import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withExamples } from './examples.ts'

const schema = (...required: string[]) => ({
  type: 'object',
  required,
  properties: { name: { type: 'string' }, note: { type: ['string', 'null'] }, count: { type: 'integer' } },
})
const reference = (name: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})

test('a field takes the example of its name; optional fields of requests need the longer name', () => {
  const operation = {
    operationId: 'createThing',
    requestBody: reference('NewThing'),
    responses: { 201: reference('Thing') },
  }
  const examples = { name: 'Mug', note: 'blue', count: 'not a number', 'NewThing.count': 3 }
  const { schemas } = withExamples(
    {
      paths: { '/things': { post: operation } },
      schemas: { NewThing: schema('name'), Thing: schema() },
    },
    examples,
  )
  const shown = (name: string) =>
    Object.entries((schemas[name] as { properties: Record<string, { examples?: unknown[] }> }).properties)
      .filter(([, { examples: given }]) => given)
      .map(([field, { examples: given }]) => [field, ...(given ?? [])])
  assert.deepEqual(shown('NewThing'), [['name', 'Mug'], ['count', 3]]) // biome-ignore format: as a table
  assert.deepEqual(shown('Thing'), [['name', 'Mug'], ['note', 'blue']]) // biome-ignore format: as a table
})

test('required parameters take the example of their name, others only by the longer name', () => {
  const parameter = (name: string, required: boolean) => ({
    name,
    in: 'query',
    required,
    schema: { type: 'string' },
  })
  const operation = {
    operationId: 'search',
    parameters: [parameter('q', true), parameter('tag', false), parameter('lang', false)],
    responses: {},
  }
  const examples = { q: 'seals', tag: 'tides', 'search.lang': 'en' }
  const { paths } = withExamples({ paths: { '/search': { get: operation } }, schemas: {} }, examples)
  const parameters = paths['/search']?.get?.parameters as { example?: string }[]
  const given = parameters.map(({ example }) => example)
  assert.deepEqual(given, ['seals', undefined, 'en'])
})
