import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

const built = (T: typeof TypeBox) => {
  const Thing = T.Object(
    {
      name: T.String({ minLength: 1 }),
      note: T.Optional(T.String()),
      count: T.Optional(T.Integer({ minimum: 0, default: 1 })),
      price: T.Number(),
    },
    { title: 'Thing', description: 'A thing' },
  )
  return [
    Thing,
    T.Object({}),
    T.Object({ only: T.Optional(T.Boolean()) }),
    T.Pick(Thing, ['name', 'note']),
    T.Omit(Thing, ['name', 'price']),
    T.Object({ ...T.Omit(Thing, ['price']).properties, more: T.Null() }),
    T.Array(Thing, { maxItems: 3 }),
    T.Array(T.Unknown()),
    T.Union([T.String(), T.Null()], { title: 'Either' }),
    T.Enum(['a', 'b']),
    T.Record(T.String(), T.Integer(), { description: 'Counts' }),
    ...['text', 1, true].map((value) => T.Literal(value, { description: 'One' })),
    T.Unsafe<'a'>({ type: 'string', enum: ['a'] }),
    T.Object({ maybe: T.Optional(T.Unsafe<string>({ type: 'string' })) }),
  ]
}

test('builders return the schemas that TypeBox returns', () => {
  assert.equal(
    JSON.stringify(built(Type as typeof TypeBox), null, 1),
    JSON.stringify(built(TypeBox), null, 1),
  )
})
