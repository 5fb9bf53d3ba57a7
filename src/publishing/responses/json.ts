import { LRUCache } from 'lru-cache'
import { digestOf } from './etag.ts'

/** JSON, and an outline of it: digests stand in it for shared objects, and it differs wherever the JSON does. */
type Written = { json: string; outline: string }

/** In characters. */
const maxKept = 8 * 1024 * 1024
/** About what an entry takes besides its text. */
const overhead = 256

const shared = new WeakSet<object>()
const kept = new LRUCache<object, Written>({
  maxSize: maxKept,
  sizeCalculation: ({ json }) => json.length + overhead,
})

/** Freezes an object that many responses show, and marks it to be written and hashed only once. */
export const share = <T extends object>(value: T): T => {
  shared.add(Object.freeze(value))
  return value
}

const writtenOf = (value: object): Written => {
  const known = kept.get(value)
  if (known) return known
  const json = JSON.stringify(value)
  // No JSON looks like this, so nothing else has the same outline.
  const written = { json, outline: `#${digestOf(json)}` }
  kept.set(value, written)
  return written
}

const append = (to: Written, json: string, outline = json) => {
  to.json += json
  to.outline += outline
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const appendItem = (to: Written, item: unknown) => {
  if (!isObject(item) || !shared.has(item)) return append(to, JSON.stringify(item) ?? 'null')
  const { json, outline } = writtenOf(item)
  append(to, json, outline)
}

const appendItems = (to: Written, value: unknown) => {
  if (!Array.isArray(value)) return appendItem(to, value)
  append(to, '[')
  for (let n = 0; n < value.length; n++) {
    if (n > 0) append(to, ',')
    appendItem(to, value[n])
  }
  append(to, ']')
}

type AppendMember = (to: Written, value: unknown) => void

/** Anything but a plain object is appended as a list, or as an item. */
const appendMembers = (to: Written, value: unknown, appendMember: AppendMember) => {
  if (!isObject(value) || Array.isArray(value) || shared.has(value)) return appendItems(to, value)
  let separator = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    append(to, `${separator}${JSON.stringify(name)}:`)
    appendMember(to, member)
    separator = ','
  }
  append(to, separator === '{' ? '{}' : '}')
}

const appendData = (to: Written, value: unknown) => appendMembers(to, value, appendItems)

/**
 * The same JSON as that of `JSON.stringify`, for the body of a response. Shared objects are looked for where they can be:
 * as the data or one of its members, or in a list of these.
 */
export const writeJson = (body: unknown): Written => {
  const written = { json: '', outline: '' }
  appendMembers(written, body, appendData)
  return written
}
