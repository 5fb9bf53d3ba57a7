import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBag } from './bag.ts'

type Item = { place: number; name: string }

const items = (...names: string[]): Item[] => names.map((name) => ({ place: 0, name }))
const namesIn = ({ items }: { items: readonly Item[] }) => items.map(({ name }) => name).sort()

test('a bag holds what was added and not removed, in whichever order it goes', () => {
  const bag = createBag<Item>()
  const [a, b, c, d] = items('a', 'b', 'c', 'd') as [Item, Item, Item, Item]
  for (const item of [a, b, c, d]) bag.add(item)
  bag.remove(b)
  assert.deepEqual(namesIn(bag), ['a', 'c', 'd'])
  bag.remove(d)
  bag.remove(a)
  assert.deepEqual(namesIn(bag), ['c'])
  bag.add(b)
  bag.remove(c)
  assert.deepEqual(namesIn(bag), ['b'])
  bag.remove(b)
  assert.deepEqual(namesIn(bag), [])
})

test('removing what is not in the bag, or no longer, removes nothing', () => {
  const bag = createBag<Item>()
  const [a, b, other] = items('a', 'b', 'other') as [Item, Item, Item]
  bag.add(a)
  bag.add(b)
  bag.remove(a)
  bag.remove(a)
  bag.remove(other)
  assert.deepEqual(namesIn(bag), ['b'])
})
