import { invalid } from '#platform/errors.ts'
import { Pattern } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const decimal = /^\d{1,12}(?:\.\d{1,2})?$/
const reason = 'must be an amount of at least 0 with at most 2 decimals'

/** An amount of money in a request: a number or a decimal string with at most 12 digits and 2 decimals. */
export const MoneyInput = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  minimum: 0,
  maximum: 999_999_999_999.99,
  ...Pattern(decimal.source, reason),
  description: 'An amount of at least 0 with at most 2 decimals, as a number or a string',
  examples: ['19.90'],
})

/** An amount of money in a response: a decimal string. */
export const Money = Type.String({ pattern: '^-?\\d+\\.\\d{2}$', examples: ['19.90'] })

/** The amount with exactly two decimals. Works on the digits as written, never on a float. */
export const toMoney = (field: string, value: string | number): string => {
  const text = String(value)
  if (!decimal.test(text)) return invalid(field, reason)
  const [whole = '', cents = ''] = text.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

/** Sums of money are computed in whole cents, never as floats. */
export const toCents = (amount: string) => BigInt(amount.replace('.', ''))

/** Of an amount that is not negative. */
export const fromCents = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
