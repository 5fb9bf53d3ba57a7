import {
  maxDays,
  maxNewerVersions,
  maxRules,
  maxTags,
  type NewLifecycleRule,
} from '../../lifecycle/schema.ts'
import { isTagText } from '../../tags/tags.ts'
import { refuse } from '../errors.ts'
import { childrenOf, type Element, onlyChild, readXml, requiredText, textOf } from '../xml/read.ts'

const malformed = (message?: string) => refuse('MalformedXML', message)
const invalidArgument = (message: string) => refuse('InvalidArgument', message)
const invalidRequest = (message: string) => refuse('InvalidRequest', message)

const integer = (text: string) => (/^\s*-?\d{1,19}\s*$/.test(text) ? Number(text) : malformed())

/** A number of days, which must be there. */
const daysIn = (element: Element, name: string, action: string) => {
  const days = integer(requiredText(element, name))
  return days >= 1 && days <= maxDays
    ? days
    : invalidArgument(`'${name}' for ${action} action must be a positive integer`)
}

const dateIn = (text: string) => {
  const trimmed = text.trim()
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(trimmed)) return malformed()
  const time = Date.parse(trimmed)
  if (Number.isNaN(time)) return malformed()
  return time % 86_400_000 === 0
    ? new Date(time).toISOString()
    : invalidArgument("'Date' must be at midnight GMT")
}

/** Refuses elements that S3 does not have here, or has and we do not. */
const checkNames = (element: Element, allowed: readonly string[]) => {
  const names = element.children.map(({ name }) => name)
  const missing = names.find((name) => name === 'Transition' || name === 'NoncurrentVersionTransition')
  if (missing) refuse('NotImplemented', `${missing} is not implemented: there is one storage class`)
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown) malformed(`${element.name} cannot have ${unknown}`)
}

const tagsIn = (element: Element) => {
  const pairs = childrenOf(element, 'Tag').map(
    (tag) => [requiredText(tag, 'Key'), requiredText(tag, 'Value')] as const,
  )
  if (pairs.length > maxTags) malformed(`A rule can have at most ${maxTags} tags`)
  for (const [key, value] of pairs) {
    if (key.length < 1 || key.length > 128 || !isTagText(key))
      invalidArgument('The TagKey you have provided is invalid')
    if (value.length > 256 || !isTagText(value)) invalidArgument('The TagValue you have provided is invalid')
  }
  const tags = Object.fromEntries(pairs)
  if (Object.keys(tags).length < pairs.length) invalidRequest('Duplicate Tag Keys are not allowed.')
  return tags
}

const boundIn = (element: Element, name: string) => {
  const text = textOf(element, name)
  if (text === undefined) return undefined
  const bytes = integer(text)
  return bytes >= 0 && bytes < Number.MAX_SAFE_INTEGER ? bytes : invalidArgument(`'${name}' is out of range`)
}

const filterNames = ['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan']

/** Which objects a rule is about. One condition stands alone; several stand in `And`. */
const filterIn = (rule: Element) => {
  const filter = onlyChild(rule, 'Filter')
  const oldPrefix = textOf(rule, 'Prefix')
  if ((filter === undefined) === (oldPrefix === undefined))
    return malformed('A rule must have either a Filter or a Prefix')
  if (!filter) return { prefix: oldPrefix ?? '' }
  checkNames(filter, [...filterNames, 'And'])
  if (filter.children.length > 1) return malformed('A Filter with several conditions must have them in And')
  const conditions = onlyChild(filter, 'And') ?? filter
  checkNames(conditions, filterNames)
  const more = boundIn(conditions, 'ObjectSizeGreaterThan')
  const less = boundIn(conditions, 'ObjectSizeLessThan')
  if (less !== undefined && less <= (more ?? 0) + (more === undefined ? 0 : 1))
    return invalidRequest("'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'.")
  return {
    prefix: textOf(conditions, 'Prefix') ?? '',
    tags: tagsIn(conditions),
    min_size_bytes: more === undefined ? null : more + 1,
    max_size_bytes: less === undefined ? null : less - 1,
  }
}

const booleanIn = (text: string | undefined) => {
  const word = text?.trim()
  return word === undefined || word === 'false' ? false : word === 'true' ? true : malformed()
}

/** Exactly one of days, a date, and delete markers. */
const expirationIn = (rule: Element): Partial<NewLifecycleRule> => {
  const element = onlyChild(rule, 'Expiration')
  if (!element) return {}
  checkNames(element, ['Days', 'Date', 'ExpiredObjectDeleteMarker'])
  const [hasDays, date] = [textOf(element, 'Days') !== undefined, textOf(element, 'Date')]
  const markers = booleanIn(textOf(element, 'ExpiredObjectDeleteMarker'))
  if (
    element.children.length === 0 ||
    (hasDays ? 1 : 0) + (date === undefined ? 0 : 1) + (markers ? 1 : 0) > 1
  )
    return malformed('Expiration must have one of Days, Date and ExpiredObjectDeleteMarker')
  return {
    ...(hasDays ? { expiration_days: daysIn(element, 'Days', 'Expiration') } : {}),
    ...(date === undefined ? {} : { expiration_date: dateIn(date) }),
    expired_delete_markers: markers,
  }
}

const noncurrentIn = (rule: Element): Partial<NewLifecycleRule> => {
  const element = onlyChild(rule, 'NoncurrentVersionExpiration')
  if (!element) return {}
  checkNames(element, ['NoncurrentDays', 'NewerNoncurrentVersions'])
  const text = textOf(element, 'NewerNoncurrentVersions')
  const newer = text === undefined ? null : integer(text)
  if (newer !== null && (newer < 1 || newer > maxNewerVersions))
    return invalidArgument(`'NewerNoncurrentVersions' must be an integer from 1 to ${maxNewerVersions}`)
  return {
    noncurrent_days: daysIn(element, 'NoncurrentDays', 'NoncurrentVersionExpiration'),
    newer_noncurrent_versions: newer,
  }
}

const abortionIn = (rule: Element): Partial<NewLifecycleRule> => {
  const element = onlyChild(rule, 'AbortIncompleteMultipartUpload')
  if (!element) return {}
  checkNames(element, ['DaysAfterInitiation'])
  return { abort_uploads_days: daysIn(element, 'DaysAfterInitiation', 'AbortIncompleteMultipartUpload') }
}

const ruleNames = [
  'ID',
  'Status',
  'Filter',
  'Prefix',
  'Expiration',
  'NoncurrentVersionExpiration',
  'AbortIncompleteMultipartUpload',
]

const ruleIn = (element: Element): NewLifecycleRule => {
  checkNames(element, ruleNames)
  const id = textOf(element, 'ID') || null
  if (id !== null && [...id].length > 255) invalidArgument('ID length should not exceed allowed limit of 255')
  const status = requiredText(element, 'Status')
  if (status !== 'Enabled' && status !== 'Disabled') malformed('Status must be Enabled or Disabled')
  const filter = filterIn(element)
  if ([...filter.prefix].length > 1024) invalidRequest('The maximum size of a prefix is 1024')
  const rule = {
    id,
    enabled: status === 'Enabled',
    ...filter,
    ...expirationIn(element),
    ...noncurrentIn(element),
    ...abortionIn(element),
  }
  checkActions(rule)
  return rule
}

const checkActions = (rule: NewLifecycleRule) => {
  const { expired_delete_markers: markers, abort_uploads_days: abort } = rule
  const days = [rule.expiration_days, rule.expiration_date, rule.noncurrent_days, abort]
  if (!markers && days.every((value) => value === undefined))
    invalidRequest('At least one action needs to be specified in a rule')
  const actions = [
    ...(markers ? ['ExpiredObjectDeleteMarker'] : []),
    ...(abort === undefined ? [] : ['AbortIncompleteMultipartUpload']),
  ]
  for (const action of actions) {
    if (Object.keys(rule.tags ?? {}).length > 0) invalidRequest(`${action} cannot be specified with Tags.`)
    if ((rule.min_size_bytes ?? rule.max_size_bytes ?? null) !== null)
      invalidRequest(`${action} cannot be specified with Object Size.`)
  }
}

/** The rules in a document, with the refusals of S3. */
export const readRules = (text: string): NewLifecycleRule[] => {
  const document = readXml(text, 'LifecycleConfiguration')
  checkNames(document, ['Rule'])
  const rules = document.children.map(ruleIn)
  if (rules.length === 0 || rules.length > maxRules) malformed(`There must be 1 to ${maxRules} rules`)
  const ids = rules.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length)
    invalidArgument('Rule ID must be unique. Found same ID for more than one rule')
  return rules
}
