import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as errors from '#platform/errors.ts'

const { badRequest, unauthorized, forbidden, notFound, conflict, invalid, tooManyRequests, unavailable } =
  errors

test('every helper throws its error, with the status and headers that a client sees', () => {
  const cases = [
    [() => badRequest('No'), 400, {}],
    [() => unauthorized(), 401, {}],
    [() => forbidden(), 403, {}],
    [() => notFound(), 404, {}],
    [() => conflict('No'), 409, {}],
    [() => invalid('name', 'is required'), 400, {}],
    [() => tooManyRequests('No', { headers: { 'retry-after': '7' } }), 429, { 'retry-after': '7' }],
    [() => unavailable(), 503, { 'retry-after': '1' }],
  ] as const
  for (const [helper, status, headers] of cases)
    assert.throws(helper, (error) => {
      assert.ok(error instanceof errors.AppError)
      assert.deepEqual([error.status, error.headers], [status, headers])
      return true
    })
})

test('what caused an outage is kept for the log', () => {
  const cause = new Error('connection refused')
  assert.throws(() => unavailable('The database is not available', cause), { status: 503, cause })
})
