/** Of units, in whatever is entered. */
export const maxQuantity = 2_147_483_647

/** Money is decimal text on the wire. Here it is counted in whole cents, never in fractions of a float. */

/** `12.5` is 1250n; null for what is no amount with at most two decimals. */
export const centsOf = (text: string): bigint | null => {
  const match = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return null
  return BigInt(match[1] as string) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'))
}

export const decimalOf = (cents: bigint) => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The sum of lines, or null while one of them is not complete. */
export const totalOf = (lines: { quantity: number | null; unit_price: string }[]): string | null => {
  let sum = 0n
  for (const { quantity, unit_price } of lines) {
    const cents = centsOf(unit_price)
    if (cents === null || quantity === null || !Number.isSafeInteger(quantity)) return null
    sum += cents * BigInt(quantity)
  }
  return decimalOf(sum)
}

const amounts = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** As the browser's locale writes it. The service has no currency: a company has one, and knows which. */
export const amount = (text: string | number | null | undefined) =>
  text === null || text === undefined ? '–' : amounts.format(text as Intl.StringNumericLiteral)

const shares = new Intl.NumberFormat(undefined, { style: 'percent', minimumFractionDigits: 2 })

/** Of `60.00`, which are hundredths. */
export const share = (percent: string) => shares.format(Number(percent) / 100)

const costs = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** The average of a unit is finer than cents. */
export const unitCost = (text: string) => costs.format(text as Intl.StringNumericLiteral)
