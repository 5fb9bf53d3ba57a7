const factors: Record<string, number> = { MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }
export const sizeUnits = Object.keys(factors)

export type Size = { amount: string; unit: string }

/** The largest unit in which a size is a short number. */
export const fromBytes = (bytes: number | null): Size => {
  if (bytes === null) return { amount: '', unit: 'GiB' }
  const isShort = (unit: string) => Number.isInteger((bytes / (factors[unit] as number)) * 100)
  const unit = sizeUnits.findLast((one) => bytes >= (factors[one] as number) && isShort(one)) ?? 'MiB'
  return { amount: String(bytes / (factors[unit] as number)), unit }
}

export const toBytes = ({ amount, unit }: Size) =>
  amount.trim() === '' || Number.isNaN(Number(amount))
    ? null
    : Math.round(Number(amount) * (factors[unit] as number))
