import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMoney } from './money.ts'

test('toMoney accepts numbers and strings and keeps their digits', () => {
  const read = {
    '0': '0.00', '5': '5.00', '5.5': '5.50', '005.05': '5.05', '999999999999.99': '999999999999.99', '0.29': '0.29',
  } // biome-ignore format: one list
  for (const [text, money] of Object.entries(read)) {
    assert.equal(toMoney('price', text), money)
    assert.equal(toMoney('price', Number(text)), money)
  }
})

test('toMoney refuses anything but an amount with at most two decimals', () => {
  const wrong = [
    -1,
    0.001,
    0.1 + 0.2,
    1e21,
    1e-7,
    Number.NaN,
    '',
    ' 1',
    '1.',
    '.5',
    '1,5',
    '1e3',
    '-1',
    '1234567890123',
  ]
  for (const value of wrong) assert.throws(() => toMoney('price', value), { status: 400 }, String(value))
})
