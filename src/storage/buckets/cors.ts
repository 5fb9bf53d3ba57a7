import { invalid } from '#platform/errors.ts'
import { compilePattern } from '../policies/pattern.ts'

/** Which pages may use a bucket from a browser, and how. In origins and headers, one `*` stands for any characters. */
export type CorsRule = {
  id?: string
  origins: string[]
  methods: string[]
  headers: string[]
  exposedHeaders: string[]
  maxAgeSeconds?: number
}

const maxRules = 100
const maxIdLength = 255
export const corsMethods = ['GET', 'PUT', 'HEAD', 'POST', 'DELETE']
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const checkPattern = (field: string, text: string) => {
  if (text.split('*').length > 2) invalid(field, `must have at most one wildcard, not ${text}`)
}

const checkRule = (rule: CorsRule, index: number) => {
  const field = `rules[${index}]`
  if ((rule.id ?? '').length > maxIdLength)
    invalid(`${field}.id`, `must have at most ${maxIdLength} characters`)
  if (rule.origins.length === 0) invalid(`${field}.origins`, 'must name at least one origin')
  if (rule.methods.length === 0) invalid(`${field}.methods`, 'must name at least one method')
  const unknown = rule.methods.find((method) => !corsMethods.includes(method))
  if (unknown !== undefined)
    invalid(`${field}.methods`, `must be of ${corsMethods.join(', ')}, not ${unknown}`)
  for (const origin of rule.origins) {
    if (!/^[\x21-\x7e]+$/.test(origin)) invalid(`${field}.origins`, 'must be origins')
    checkPattern(`${field}.origins`, origin)
  }
  for (const header of rule.headers) {
    if (!token.test(header)) invalid(`${field}.headers`, 'must be names of headers')
    checkPattern(`${field}.headers`, header)
  }
  for (const header of rule.exposedHeaders)
    if (!token.test(header) || header.includes('*'))
      invalid(`${field}.exposedHeaders`, 'must be names of headers, without wildcards')
  const { maxAgeSeconds = 0 } = rule
  if (!Number.isInteger(maxAgeSeconds) || maxAgeSeconds < 0 || maxAgeSeconds > 2 ** 31 - 1)
    invalid(`${field}.maxAgeSeconds`, 'must be a whole number from 0')
}

/** Throws 400 if these cannot be the rules of a bucket. */
export const checkCors = (rules: readonly CorsRule[]) => {
  if (rules.length === 0 || rules.length > maxRules) invalid('rules', `must be 1 to ${maxRules}`)
  for (const [index, rule] of rules.entries()) checkRule(rule, index)
}

/** What a page wants to do. `headers` are known only if the browser asks before it does it. */
export type CorsQuestion = { origin: string; method: string; headers?: readonly string[] }

/** The first rule that allows it, and whether it allows it to every page. */
export const corsRuleFor = (rules: readonly CorsRule[], { origin, method, headers = [] }: CorsQuestion) => {
  for (const rule of rules) {
    const matched = rule.origins.find((pattern) => compilePattern(pattern)(origin))
    if (matched === undefined || !rule.methods.includes(method)) continue
    const patterns = rule.headers.map((pattern) => compilePattern(pattern.toLowerCase()))
    const isAllowed = (name: string) => patterns.some((matches) => matches(name.toLowerCase()))
    if (headers.every(isAllowed)) return { rule, isForEveryone: matched === '*' }
  }
  return undefined
}
