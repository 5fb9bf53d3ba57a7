import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '#platform/type/type.ts'
import { OneOf, Pattern, Text } from '../schema.ts'
import { parseJson, validatorCompiler } from './validation.ts'

const problemsOf = (schema: object, data: unknown, httpPart = 'body') => {
  const check = validatorCompiler({ schema, httpPart } as never) as (data: unknown) => { error?: Error }
  return check(data).error?.message
}
const fieldOf = (schema: object) => Type.Object({ field: schema as never })

test('a value of the wrong type is told what was expected and what was given', () => {
  for (const [schema, value, message] of [
    [Type.String(), 5, 'field must be a string, not a number'],
    [Type.String(), null, 'field must be a string, not null'],
    [Type.String(), ['a'], 'field must be a string, not an array'],
    [Type.Integer(), 'ten', 'field must be a whole number, not "ten"'],
    [Type.Integer(), 1.5, 'field must be a whole number, not 1.5'],
    [Type.Boolean(), 'yes', 'field must be true or false, not "yes"'],
    [Type.Array(Type.String()), {}, 'field must be an array, not an object'],
    [OneOf(['a', 'b']), 'c', 'field must be one of a, b, not "c"'],
    [Type.Integer(), 'x'.repeat(50), `field must be a whole number, not "${'x'.repeat(40)}…"`],
  ] as const)
    assert.equal(problemsOf(fieldOf(schema), { field: value }), message)
})

test('a number in place of a password is not repeated', () => {
  const message = problemsOf(fieldOf(Type.String({ format: 'password' })), { field: 12345678 })
  assert.equal(message, 'field must be a string, not a number')
})

test('formats and patterns are refused in words, never with a regular expression', () => {
  for (const [schema, value, message] of [
    [Type.String({ format: 'email' }), 'nobody', 'must be an email address, such as ada@example.com'],
    [Type.String({ format: 'date' }), '2026-02-30', 'must be a date, such as 2026-11-30'],
    [Text(1, 9, Pattern('^[a-z]+$', 'can only have letters')), 'A', 'can only have letters'],
    [Text(1, 9, { pattern: '^[a-z]+$' }), 'A', 'has characters that are not allowed here'],
  ] as const)
    assert.equal(problemsOf(fieldOf(schema), { field: value }), `field ${message}`)
})

test('a path that cannot exist is 404 and says why', () => {
  const message = problemsOf(Type.Object({ id: Type.Integer() }), { id: 'first' }, 'params')
  assert.equal(message, 'Not found: id must be a whole number, not "first"')
})

test('malformed JSON is refused with its place, and without a word of its content', () => {
  for (const [text, message] of [
    ['{"a": 1,\n "secret" 2}', 'Body is not valid JSON: something is wrong at line 2, column 11'],
    ['{"a": ', 'Body is not valid JSON: it ends too early'],
    ['secret', 'Body is not valid JSON'],
  ] as const)
    assert.throws(
      () => parseJson(Buffer.from(text)),
      (error: Error) => error.message.startsWith(message) && !error.message.includes('secret'),
      text,
    )
})
