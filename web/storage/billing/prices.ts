import { money } from '#web/components/format.ts'

type Tier = { code: string; name: string; monthly_cents: number }
type PriceList = { currency: string; storage: Tier[]; bandwidth: Tier[] }

/** Cents as an amount of money. */
export const cents = (amount: number, currency: string) => money((amount / 100).toFixed(2), currency)

const find = (tiers: Tier[], code: string | null) => tiers.find((tier) => tier.code === code)

/** What both tiers cost in a month; null for a trial, which is not on the list. */
export const monthlyCents = (
  { storage, bandwidth }: PriceList,
  codes: { storage: string | null; bandwidth: string | null },
) => {
  const [one, other] = [find(storage, codes.storage), find(bandwidth, codes.bandwidth)]
  return one && other ? one.monthly_cents + other.monthly_cents : null
}

/** The name of a tier on the list, which says its quota; others, such as `trial`, are called by their codes. */
export const tierWords = (tiers: Tier[], code: string | null, quota: string) =>
  find(tiers, code)?.name ?? (code ? `${code.charAt(0).toUpperCase()}${code.slice(1)} · ${quota}` : quota)
