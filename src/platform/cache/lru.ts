import { LRUCache } from 'lru-cache'

export type Lru<Value extends {}> = LRUCache<string, Value>

/** A long key counts as several entries: clients choose many keys, and could fill the memory with them. */
const weightOf = (key: string) => 1 + (key.length >> 8)

/** Keeps the `max` most recently used entries, fewer if their keys are longer than 255 characters. */
export const lru = <Value extends {}>(max: number): Lru<Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: (_, key) => weightOf(key) })

/** The entry of a key, created if there is none. */
export const getOrCreate = <Value extends {}>(
  entries: Lru<Value>,
  key: string,
  create: () => Value,
): Value => {
  const known = entries.get(key)
  if (known !== undefined) return known
  const created = create()
  entries.set(key, created)
  return created
}
