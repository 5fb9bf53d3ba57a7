import { Type } from 'typebox'
import { Named, Nullable, OneOf, Text, Time, Uuid } from '#platform/http/schema.ts'
import { EventId } from '../ids.ts'

const Url = Type.String({ minLength: 1, maxLength: 2000, examples: ['https://example.com/hooks/trivet'] })
const Types = Type.Array(Text(1, 100), { minItems: 1, maxItems: 100, examples: [['*']] })
const Description = Nullable(Text(0, 500))

const webhook = {
  id: Uuid,
  url: Type.String(),
  types: Type.Array(Type.String()),
  description: Nullable(Type.String()),
  is_active: Type.Boolean(),
  switched_off: Nullable(Type.String({ description: 'Why it was switched off by the server' })),
  created_at: Time,
}
export const Webhook = Named('Webhook', webhook)
export const CreatedWebhook = Named('CreatedWebhook', {
  ...webhook,
  secret: Type.String({ description: 'Verifies signatures; shown only here' }),
})
export const RotatedSecret = Named('RotatedSecret', {
  secret: Type.String({ description: 'For 24 hours deliveries carry signatures of both secrets' }),
})

export const NewWebhook = Named('NewWebhook', {
  url: Url,
  types: Type.Optional(Types),
  description: Type.Optional(Description),
})
export type NewWebhook = Type.Static<typeof NewWebhook>

export const WebhookChange = Named('WebhookChange', {
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  description: Type.Optional(Description),
  is_active: Type.Optional(Type.Boolean()),
})
export type WebhookChange = Type.Static<typeof WebhookChange>

const attempt = {
  response_status: Nullable(Type.Integer()),
  response_time_ms: Nullable(Type.Integer()),
  response_body: Nullable(Type.String({ description: 'Its first 1 KiB' })),
  error: Nullable(Type.String()),
}
export const TestResult = Named('WebhookTestResult', attempt)

const statuses = ['pending', 'succeeded', 'dead'] as ['pending', 'succeeded', 'dead']
export const Delivery = Named('Delivery', {
  id: Uuid,
  event_id: EventId,
  type: Type.String(),
  attempts: Type.Integer(),
  status: OneOf(statuses),
  ...attempt,
  next_attempt_at: Nullable(Time),
  created_at: Time,
})
export const DeliveryFilter = { status: Type.Optional(OneOf(statuses)) }

export const Replay = Named('Replay', {
  after: EventId,
  until: Type.Optional(EventId),
  types: Type.Optional(Types),
})
export type Replay = Type.Static<typeof Replay>
export const Replayed = Named('Replayed', { replayed: Type.Integer() })
export const Accepted = Named('DeliveryAccepted', { id: Uuid, status: OneOf(statuses) })

export const WebhookPath = Type.Object({ id: Uuid })
export const DeliveryPath = Type.Object({ id: Uuid, deliveryId: Uuid })
