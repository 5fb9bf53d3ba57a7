import { Named, Nullable, OneOf, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { tiers } from './tiers.ts'

export const Plan = Named('Plan', {
  plan_status: OneOf(['trial', 'active', 'expired']),
  plan_expires_at: Nullable(Time),
  storage_tier: Nullable(Type.String()),
  bandwidth_tier: Nullable(Type.String()),
  storage_quota_bytes: Nullable(Type.Integer()),
  bandwidth_quota_bytes: Nullable(Type.Integer()),
  object_quota: Nullable(Type.Integer({ description: 'One for each 8 KiB of the storage quota' })),
})

const Tier = Named('Tier', {
  code: Type.String(),
  name: Type.String(),
  quota_bytes: Type.Integer(),
  monthly_cents: Type.Integer(),
})

export const Tiers = Named('Tiers', {
  currency: Type.String({ description: 'Lower-case code' }),
  storage: Type.Array(Tier),
  bandwidth: Type.Array(Tier),
})

export const maxTermMonths = 120

export const Purchase = Named('Purchase', {
  storageTier: OneOf(tiers.storage.map(({ code }) => code)),
  bandwidthTier: OneOf(tiers.bandwidth.map(({ code }) => code)),
  termMonths: Type.Integer({ minimum: 1, maximum: maxTermMonths }),
})
export type Purchase = Type.Static<typeof Purchase>

export const PurchaseCreated = Named('PurchaseCreated', {
  clientSecret: Type.String({ description: "For the provider's card form" }),
  amount: Type.Integer({ description: 'Cents' }),
})

export const Invoice = Named('Invoice', {
  id: Uuid,
  source: OneOf(['payment', 'promo']),
  description: Type.String(),
  amount: Type.Integer({ description: 'Cents' }),
  currency: Type.String(),
  status: Type.String({ examples: ['succeeded', 'pending', 'failed'] }),
  date: Type.Integer({ description: 'Unix time in seconds' }),
})

export const PromoRedemption = Named('PromoRedemption', { code: Text(1, 64) })

export const PromoRedeemed = Named('PromoRedeemed', {
  message: Type.String(),
  months_added: Type.Integer(),
  plan_expires_at: Time,
})

export const SandboxConfirmation = Named('SandboxConfirmation', { clientSecret: Text(1, 255) })

export const PaymentStatus = Named('PaymentStatus', { status: Type.String() })

export const Received = Named('Received', { received: Type.Boolean() })
