import { LRUCache } from 'lru-cache'

export type Lru<Value extends {}> = LRUCache<string, Value>

/** What does not fit into this many bytes counts as several entries, because clients choose how long many things are. */
const entryBytes = 256

/**
 * Keeps the `max` most recently used entries, fewer if their keys and values take more than 256 bytes. `bytesOf` says
 * about how many a value takes, and is left out where all values are small.
 */
export const lru = <Value extends {}>(max: number, bytesOf: (value: Value) => number = () => 0): Lru<Value> =>
  new LRUCache({
    maxSize: max,
    sizeCalculation: (value, key) => 1 + Math.floor((key.length + bytesOf(value)) / entryBytes),
  })

/** About what a value takes that came from a column of JSON. */
export const jsonBytes = (value: unknown) => 2 * JSON.stringify(value).length

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
