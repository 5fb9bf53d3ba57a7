const GiB = 1024 ** 3
const TiB = 1024 ** 4

export const currency = 'usd'

/** What every organization starts with. */
export const trial = { days: 14, storageQuotaBytes: 5 * GiB, bandwidthQuotaBytes: 10 * GiB }

/** Everything that can be bought, with monthly prices, in the order of the price list. */
export const tiers = {
  storage: [
    { code: 'storage-100', name: '100 GiB of storage', quota_bytes: 100 * GiB, monthly_cents: 300 },
    { code: 'storage-1000', name: '1 TiB of storage', quota_bytes: TiB, monthly_cents: 1_200 },
    { code: 'storage-10000', name: '10 TiB of storage', quota_bytes: 10 * TiB, monthly_cents: 9_900 },
  ],
  bandwidth: [
    { code: 'bandwidth-500', name: '500 GiB a month', quota_bytes: 500 * GiB, monthly_cents: 200 },
    { code: 'bandwidth-5000', name: '5 TiB a month', quota_bytes: 5 * TiB, monthly_cents: 1_500 },
    { code: 'bandwidth-50000', name: '50 TiB a month', quota_bytes: 50 * TiB, monthly_cents: 12_000 },
  ],
}

export type Tier = (typeof tiers)['storage'][number]

const find = (kind: keyof typeof tiers, code: string): Tier => {
  const tier = tiers[kind].find((known) => known.code === code)
  if (!tier) throw new Error(`There is no ${kind} tier ${code}`)
  return tier
}
export const storageTier = (code: string) => find('storage', code)
export const bandwidthTier = (code: string) => find('bandwidth', code)

/** In cents per month. */
export const priceOf = (storage: string, bandwidth: string) =>
  storageTier(storage).monthly_cents + bandwidthTier(bandwidth).monthly_cents
