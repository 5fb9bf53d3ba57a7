import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessMapping, mappingProblem, mapRow } from './mapping.ts'

test('columns are recognised by the names of the API, of people and of other programs', () => {
  assert.deepEqual(guessMapping(['sku', 'Base Price', 'EAN', 'Title', 'Colour']), [
    'sku',
    'base_price',
    'barcode',
    'name',
    '',
  ])
})

test('a field is given to one column only', () => {
  assert.deepEqual(guessMapping(['Name', 'Title']), ['name', ''])
})

test('a mapping needs the SKU, and no field twice', () => {
  assert.match(String(mappingProblem(['name'])), /SKU/)
  assert.match(String(mappingProblem(['sku', 'name', 'name'])), /Name is chosen twice/)
  assert.equal(mappingProblem(['sku', '', '']), null)
})

test('only columns that mean something are sent, and short rows are filled up', () => {
  assert.deepEqual(mapRow(['A', 'x', 'red'], ['sku', '', 'name']), ['A', 'red'])
  assert.deepEqual(mapRow(['A'], ['sku', 'name']), ['A', ''])
})
