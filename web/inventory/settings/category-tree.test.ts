import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parentsFor, treeOf } from './category-tree.ts'

const node = (id: number, name: string, parent_id: number | null = null) => ({ id, name, parent_id })
const categories = [
  node(1, 'Kitchen'),
  node(2, 'Mugs', 1),
  node(3, 'Garden'),
  node(4, 'Blue', 2),
  node(5, 'Bowls', 1),
]

test('a tree is read from the top, by name, with the way to each', () => {
  assert.deepEqual(
    treeOf(categories).map(({ path, depth }) => [path, depth]),
    [
      ['Garden', 0],
      ['Kitchen', 0],
      ['Kitchen / Bowls', 1],
      ['Kitchen / Mugs', 1],
      ['Kitchen / Mugs / Blue', 2],
    ],
  )
})

test('what is inside something unknown is at the top', () => {
  assert.deepEqual(
    treeOf([node(1, 'Lost', 99)]).map(({ path }) => path),
    ['Lost'],
  )
})

test('a category moves neither into itself nor into what is inside it', () => {
  const names = (id?: number) => parentsFor(treeOf(categories), id).map(({ name }) => name)
  assert.deepEqual(names(1), ['Garden'])
  assert.deepEqual(names(2), ['Garden', 'Kitchen', 'Bowls'])
  assert.deepEqual(names(), ['Garden', 'Kitchen', 'Bowls', 'Mugs', 'Blue'])
})
