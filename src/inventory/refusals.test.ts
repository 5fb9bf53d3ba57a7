import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { batchRefusals } from './batches/refusals.ts'
import { countRefusals } from './counts/refusals.ts'
import { orderRefusals } from './orders/refusals.ts'
import { purchaseRefusals } from './purchasing/refusals.ts'
import { createOrRefuse } from './refusals.ts'
import { serialRefusals } from './serials/refusals.ts'
import { stockRefusals } from './stock/refusals.ts'

const modules = [stockRefusals, batchRefusals, serialRefusals, orderRefusals, purchaseRefusals, countRefusals]

/** The reasons in `refuse('…')` and `refuse(case when … then '…' else '…' end, …)`. */
const reasonsIn = (sql: string) =>
  [...sql.matchAll(/perform inventory\.refuse\(([^,)]*)/g)].flatMap(([, first = '']) =>
    [...first.matchAll(/(?:^|then |else )'(\w+)'/g)].map(([, reason]) => reason as string),
  )

test('every reason for which SQL refuses has its words once, and no words are unused', () => {
  const files = globSync('src/inventory/**/functions.sql')
  const raised = files.flatMap((file) => reasonsIn(readFileSync(file, 'utf8')))
  const worded = modules.flatMap((module) => Object.keys(module))
  assert.ok(raised.length > 30)
  assert.deepEqual(worded.toSorted(), [...new Set(raised)].sort())
})

const raise = (code: string, message: string, detail = '{}') =>
  Promise.reject(Object.assign(new Error(message), { code, detail }))

test('a reason becomes the status and words of its module, with its values filled in', async () => {
  const orRefuse = createOrRefuse(modules)
  const refused = (work: Promise<unknown>) =>
    orRefuse(work).catch((error) => [(error as AppError).status, (error as AppError).message])
  assert.equal(await orRefuse(Promise.resolve(1)), 1)
  assert.deepEqual(await refused(raise('INREF', 'product_not_found')), [404, 'Product not found'])
  assert.deepEqual(await refused(raise('INREF', 'serial_exists', '{"serial": "A-1"}')), [
    409,
    'Serial A-1 already exists',
  ])
  assert.deepEqual(await refused(raise('INREF', 'more_than_open', '{"id": 7, "sku": "X", "open": 2}')), [
    400,
    'Item 7 (X) has only 2 open',
  ])
})

test('a reason without words, and any other database error, is passed on as it is', async () => {
  const orRefuse = createOrRefuse(modules)
  for (const [code, reason] of [
    ['INREF', 'never_heard_of'],
    ['23505', 'product_not_found'],
  ] as const) {
    const work = raise(code, reason)
    const original = await work.catch((error) => error)
    const passed = await orRefuse(work).catch((error) => error)
    assert.equal(passed, original)
    assert.ok(!(passed instanceof AppError))
  }
})
