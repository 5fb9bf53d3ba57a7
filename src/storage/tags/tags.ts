import { invalid } from '#platform/errors.ts'

/** Texts by which buckets and objects are sorted: their names and values, in the order in which they were given. */
export type Tags = readonly (readonly [name: string, value: string])[]

const maxName = 128
const maxValue = 256

/** Letters, digits and spaces of any language, and some signs: what S3 allows. */
const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
export const tagCharacters = 'can only have letters, digits, spaces and _ . : / = + - @'
/** Names that S3 keeps for itself. */
const reserved = /^aws:/i

/** Whether a name or a value has only characters that tags can have. */
export const isTagText = (text: string) => allowed.test(text)

const checkText = (field: string, text: string, max: number) => {
  if (text.length > max) invalid(field, `must have at most ${max} characters`)
  if (!isTagText(text)) invalid(field, tagCharacters)
}

/** Tags from a list of pairs. Throws 400 if there are too many, or if one of them is not allowed. */
export const checkTags = (pairs: Tags, max: number): Tags => {
  if (pairs.length > max) invalid('tags', `must be at most ${max}`)
  for (const [name, value] of pairs) {
    if (name === '') invalid('tags', 'must not have an empty name')
    checkText('name of a tag', name, maxName)
    if (reserved.test(name)) invalid('name of a tag', 'must not begin with aws:')
    checkText('value of a tag', value, maxValue)
  }
  if (new Set(pairs.map(([name]) => name)).size < pairs.length)
    invalid('tags', 'must not have the same name twice')
  return pairs
}
