import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, badRequest, notFound, taken } from './errors.ts'
import { createOrRefuse } from './refusals.ts'

const modules = [
  { refusals: { not_found: () => notFound('Product not found') } },
  {},
  {
    refusals: {
      exists: ({ serial }) => taken('serial_number', `Serial ${serial} already exists`),
      too_many: ({ id, open }) => badRequest(`Item ${id} has only ${open} open`),
    },
  },
] satisfies Parameters<typeof createOrRefuse>[0]

const raise = (code: string, message: string, detail = '{}') =>
  Promise.reject(Object.assign(new Error(message), { code, detail }))

const orRefuse = createOrRefuse(modules)
const refused = async (work: Promise<unknown>) => {
  const error = await orRefuse(work).catch((error) => error)
  assert.ok(error instanceof AppError)
  return [error.status, error.code, error.message, error.details]
}

test('a reason becomes the status and words of its module, with its details filled in', async () => {
  assert.equal(await orRefuse(Promise.resolve(1)), 1)
  assert.deepEqual(await refused(raise('TRREF', 'not_found')), [404, 'not_found', 'Product not found', null])
  assert.deepEqual(await refused(raise('TRREF', 'exists', '{"serial": "A-1"}')), [
    409,
    'exists',
    'serial_number Serial A-1 already exists',
    [{ field: 'serial_number', reason: 'Serial A-1 already exists' }],
  ])
  assert.deepEqual(await refused(raise('TRREF', 'too_many', '{"id": 7, "open": 2, "at": 3}')), [
    400,
    'too_many',
    'Item 7 has only 2 open',
    [{ field: 'items[3]', reason: 'Item 7 has only 2 open' }],
  ])
})

test('a reason without words, and any other database error, is passed on as it is', async () => {
  for (const [code, reason] of [
    ['TRREF', 'never_heard_of'],
    ['23505', 'not_found'],
  ] as const) {
    const work = raise(code, reason)
    const original = await work.catch((error) => error)
    const passed = await orRefuse(work).catch((error) => error)
    assert.equal(passed, original)
    assert.ok(!(passed instanceof AppError))
  }
})

test('two modules cannot have words for the same reason', () => {
  const twice = { refusals: { not_found: () => notFound('Order not found') } }
  assert.throws(() => createOrRefuse([...modules, twice]), /"not_found"/)
})
