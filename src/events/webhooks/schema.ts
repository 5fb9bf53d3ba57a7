import { Named, Nullable, OneOf, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import type { Person as PersonOf } from '../events.ts'
import { EventId } from '../ids.ts'

const Url = Type.String({ minLength: 1, maxLength: 2000, examples: ['https://example.com/hooks/trivet'] })
const Types = Type.Array(Text(1, 100), { minItems: 1, maxItems: 100, examples: [['*']] })
const Description = Nullable(Text(0, 500))

const Id = Type.String({ format: 'uuid', examples: ['019a8c1e-7d20-7b3a-9c4e-5f60718293a4'] })
const Secret = (description: string) =>
  Type.String({ description, examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazoNZ8HEwTg='] })

const Person = Type.Object({
  id: Type.String({ examples: ['7'] }),
  name: Type.String({ examples: ['Mira Novak'] }),
})

const webhook = {
  id: Id,
  url: Type.String({ examples: ['https://example.com/hooks/trivet'] }),
  types: Type.Array(Type.String(), { examples: [['*']] }),
  description: Nullable(Type.String({ examples: ['Tells the shop about orders'] })),
  is_active: Type.Boolean({ examples: [true] }),
  switched_off: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why the server switched it off',
    examples: [null],
  }),
  created_by: Type.Unsafe<PersonOf | null>({
    anyOf: [Person, { type: 'null' }],
    description:
      'Who created it, or has changed its address or switched it on since. It stops when they may no longer manage ' +
      'webhooks; somebody else takes it over by switching it on. Null where an account has one person.',
  }),
  created_at: Time,
}
export const Webhook = Named('Webhook', webhook)
export const CreatedWebhook = Named('CreatedWebhook', {
  ...webhook,
  secret: Secret('Verifies signatures; shown only here'),
})
export const RotatedSecret = Named('RotatedSecret', {
  secret: Secret('For 24 hours deliveries carry signatures of this one and the one before'),
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
  response_status: Nullable(Type.Integer({ examples: [200] })),
  response_time_ms: Nullable(Type.Integer({ examples: [48] })),
  response_body: Nullable(Type.String({ description: 'Its first 1 KiB', examples: ['ok'] })),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it did not succeed',
    examples: [null],
  }),
}
export const TestResult = Named('WebhookTestResult', attempt)

const statuses = ['pending', 'succeeded', 'dead'] as ['pending', 'succeeded', 'dead']
export const Delivery = Named('Delivery', {
  id: Id,
  event_id: EventId,
  type: Type.String({ examples: ['order.created'] }),
  attempts: Type.Integer({ examples: [1] }),
  status: OneOf(statuses),
  ...attempt,
  next_attempt_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    examples: [null],
  }),
  created_at: Time,
})
export const DeliveryFilter = { status: Type.Optional(OneOf(statuses)) }

export const Replay = Named('Replay', {
  after: EventId,
  until: Type.Optional(EventId),
  types: Type.Optional(Types),
})
export type Replay = Type.Static<typeof Replay>
export const Replayed = Named('Replayed', { replayed: Type.Integer({ examples: [3] }) })
export const Accepted = Named('DeliveryAccepted', { id: Id, status: OneOf(statuses) })

export const WebhookPath = Type.Object({ id: Uuid })
export const DeliveryPath = Type.Object({ id: Uuid, deliveryId: Uuid })
