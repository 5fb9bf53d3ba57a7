/** Sums of money are computed in whole cents, never as floats. */
export const toCents = (amount: string) => BigInt(amount.replace('.', ''))

/** Of an amount that is not negative. */
export const fromCents = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
