import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCodeOf, readScan } from './codes.ts'

test('a plain code is searched as it is, without what the scanner says of its symbology', () => {
  assert.deepEqual(readScan('4006381333931'), { code: '4006381333931' })
  assert.deepEqual(readScan(' ]E04006381333931 '), { code: '4006381333931' })
  assert.deepEqual(readScan('SN-1'), { code: 'SN-1' })
})

test('a GS1 code is a GTIN with the unit that it is', () => {
  assert.deepEqual(readScan('(01)04006381333931(17)270331(10)OIL-7(21)S1'), {
    code: '04006381333931',
    expiry: '2027-03-31',
    batch: 'OIL-7',
    serial: 'S1',
  })
  assert.deepEqual(readScan('(21)S1'), { code: 'S1', serial: 'S1' })
  assert.deepEqual(readScan('(10)OIL-7'), { code: '', batch: 'OIL-7' })
})

test('a GTIN is the same with and without its zeros, and a SKU in any case', () => {
  const product = { barcode: '4006381333931', sku: 'Mug-1' }
  for (const code of ['4006381333931', '04006381333931', 'MUG-1']) assert.ok(isCodeOf(product, code), code)
  for (const code of ['006381333931', 'MUG-10', '']) assert.ok(!isCodeOf(product, code), code)
  assert.ok(isCodeOf({ barcode: '012345678905', sku: 'x' }, '00012345678905'))
  assert.ok(!isCodeOf({ barcode: null, sku: 'x' }, ''))
})
