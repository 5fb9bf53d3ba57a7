import { checkObjectTags } from '../objects/tags/tags.ts'
import type { Tags } from '../tags/tags.ts'
import { invalidArgument, refuse, refusingAs } from './errors.ts'
import { headerOf, type S3Request } from './request.ts'
import { childrenOf, type Element, readXml, requiredText } from './xml/read.ts'

const decode = (text: string, header: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return invalidArgument('x-amz-tagging', header, "The header 'x-amz-tagging' must be URL-encoded UTF-8")
  }
}

/** The tags of a new object, which are sent as a query. */
export const tagsInHeader = (request: S3Request): Tags => {
  const header = headerOf(request, 'x-amz-tagging') ?? ''
  const pairs = header
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const name = at < 0 ? pair : pair.slice(0, at)
      return [decode(name, header), at < 0 ? '' : decode(pair.slice(at + 1), header)] as const
    })
  return pairs.length === 0 ? [] : refusingAs('InvalidTag', () => checkObjectTags(pairs))
}

/** The tags in a document. `check` knows how many are allowed. */
export const tagsInDocument = (text: string, check: (pairs: Tags) => Tags): Tags => {
  const sets = childrenOf(readXml(text, 'Tagging'), 'TagSet')
  const [set] = sets
  if (!set || sets.length > 1) return refuse('MalformedXML', 'Tagging must have one TagSet')
  return tagsInSet(set, check)
}

export const tagsInSet = (set: Element, check: (pairs: Tags) => Tags): Tags => {
  const pairs = childrenOf(set, 'Tag').map(
    (tag) => [requiredText(tag, 'Key'), requiredText(tag, 'Value')] as const,
  )
  return refusingAs('InvalidTag', () => check(pairs))
}

export const tagSet = (tags: Tags) => ({
  TagSet: { Tag: tags.map(([Key, Value]) => ({ Key, Value })) },
})

/** How many tags there are is told with an object, if it has any. */
export const tagCount = ({ length }: Tags): Record<string, string> =>
  length === 0 ? {} : { 'x-amz-tagging-count': String(length) }
