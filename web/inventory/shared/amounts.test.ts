import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, centsOf, decimalOf, totalOf } from './amounts.ts'

test('an amount is read in cents, with a point or a comma', () => {
  assert.equal(centsOf('12'), 1200n)
  assert.equal(centsOf('12.5'), 1250n)
  assert.equal(centsOf(' 0,05 '), 5n)
  for (const wrong of ['', '-1', '1.234', 'x', '1.', '.5', '1e3']) assert.equal(centsOf(wrong), null, wrong)
})

test('cents are written with two decimals', () => {
  assert.equal(decimalOf(5n), '0.05')
  assert.equal(decimalOf(123456n), '1234.56')
  assert.equal(decimalOf(-150n), '-1.50')
})

test('a total is exact where floats are not', () => {
  const line = (quantity: number, unit_price: string) => ({ quantity, unit_price })
  assert.equal(totalOf([line(3, '0.10'), line(1, '0.20')]), '0.50')
  assert.equal(totalOf([line(1_000_000, '99999999.99')]), '99999999990000.00')
  assert.equal(totalOf([]), '0.00')
})

test('there is no total while a line is not complete', () => {
  assert.equal(totalOf([{ quantity: null, unit_price: '1.00' }]), null)
  assert.equal(totalOf([{ quantity: 1.5, unit_price: '1.00' }]), null)
  assert.equal(totalOf([{ quantity: 1, unit_price: '' }]), null)
})

test('amounts are shown with two decimals, and nothing as a dash', () => {
  assert.match(amount('1234.5'), /1.?234[.,]50/)
  assert.equal(amount(null), '–')
})
