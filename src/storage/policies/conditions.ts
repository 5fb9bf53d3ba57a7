import { isIP, isIPv4 } from 'node:net'
import { numberOf } from '#platform/addresses.ts'
import { invalid } from '#platform/errors.ts'
import { compilePattern } from './pattern.ts'

/** What a condition can refer to. Facts that are not known yet, or do not apply, are left out. */
export type Facts = {
  /** If it is not a valid address, every deny by address applies, and no allow does. */
  ip: string
  now: Date
  key?: string | undefined
  /** The prefix that a list request is limited to. */
  prefix?: string | undefined
  contentType?: string | undefined
  size?: number | undefined
}

/** Whether a statement applies; undefined if that depends on something not known yet. */
export type Condition = (facts: Facts) => boolean | undefined

type Effect = 'allow' | 'deny'
type Reader = (value: unknown, field: string, effect: Effect) => Condition

const texts = (value: unknown, field: string): string[] => {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0 || !list.every((item) => typeof item === 'string' && item.length <= 1024))
    invalid(field, 'must be a string or an array of strings')
  return list
}

/** Every one of them is compared with the address of every request. */
const maxRanges = 50

type Range = { first: bigint; last: bigint }

const rangeOf = (text: string, field: string): Range => {
  const [address = '', bits, more] = text.split('/')
  const width = isIPv4(address) ? 32 : 128
  const length = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (isIP(address) === 0 || more !== undefined || length < 0 || length > width)
    invalid(field, 'must be an address range such as 10.0.0.0/8')
  const left = BigInt(width - length)
  const first = (numberOf(address) >> left) << left
  return { first, last: first + (1n << left) - 1n }
}

/** IPv4 ranges also match IPv4-mapped IPv6 addresses, which dual-stack sockets report. */
const networks = (value: unknown, field: string): ((ip: string) => boolean | undefined) => {
  const list = texts(value, field)
  if (list.length > maxRanges) invalid(field, `must have at most ${maxRanges} address ranges`)
  const ranges = list.map((text) => rangeOf(text, field))
  return (ip) => {
    if (isIP(ip) === 0) return undefined
    const address = numberOf(ip)
    return ranges.some(({ first, last }) => first <= address && address <= last)
  }
}

const moment = (value: unknown, field: string): number => {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? invalid(field, 'must be a time, such as 2026-11-30T09:30:00Z') : time
}

const anyOf = (patterns: ((text: string) => boolean)[], text: string | undefined) =>
  text === undefined ? undefined : patterns.some((matches) => matches(text))

const readers: Record<string, Reader> = {
  ipCidr(value, field, effect) {
    const isInside = networks(value, field)
    return ({ ip }) => isInside(ip) ?? effect === 'deny'
  },
  notIpCidr(value, field, effect) {
    const isInside = networks(value, field)
    return ({ ip }) => {
      const inside = isInside(ip)
      return inside === undefined ? effect === 'deny' : !inside
    }
  },
  notBefore(value, field) {
    const time = moment(value, field)
    return ({ now }) => now.getTime() >= time
  },
  expiresAt(value, field) {
    const time = moment(value, field)
    return ({ now }) => now.getTime() < time
  },
  /** A list is allowed if all its keys have the prefix, and denied if any of them may have it. */
  prefix(value, field, effect) {
    const starts = texts(value, field)
    return ({ key, prefix }) =>
      starts.some((start) =>
        key === undefined
          ? prefix?.startsWith(start) ||
            (effect === 'deny' && prefix !== undefined && start.startsWith(prefix))
          : key.startsWith(start),
      )
  },
  contentType(value, field) {
    const patterns = texts(value, field).map((text) => compilePattern(text.toLowerCase()))
    return ({ contentType }) => anyOf(patterns, contentType?.toLowerCase().split(';')[0]?.trim())
  },
  maxSizeBytes(value, field) {
    if (!Number.isSafeInteger(value) || (value as number) < 0) invalid(field, 'must be a whole number from 0')
    return ({ size }) => (size === undefined ? undefined : size <= (value as number))
  },
}

/** All conditions must hold. Throws a validation error for a condition that is not valid. */
export const compileConditions = (
  conditions: Record<string, unknown> | null,
  field: string,
  effect: Effect,
): Condition => {
  const compiled = Object.entries(conditions ?? {}).map(([name, value]) => {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (!read)
      return invalid(`${field}.${name}`, `is not a condition: use ${Object.keys(readers).join(', ')}`)
    return read(value, `${field}.${name}`, effect)
  })
  return (facts) => {
    const answers = compiled.map((condition) => condition(facts))
    return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true
  }
}
