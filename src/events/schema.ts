import { Named, Pattern, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { EventId } from './ids.ts'

export const Event = Named('Event', {
  id: EventId,
  type: Type.String({ examples: ['order.created'] }),
  created_at: Time,
  subject: Type.String({ description: 'Kind and id of what it is about', examples: ['order/42'] }),
  data: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'The resource as it was then; see the webhooks of this reference for each type',
  }),
})

export const EventQuery = Type.Object({
  after: Type.Optional(EventId),
  types: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Types, separated by commas; `order.*` stands for all types of orders',
      examples: ['order.*,stock.low'],
    }),
  ),
  subject: Type.Optional(
    Type.String({
      maxLength: 1200,
      ...Pattern('^[a-z_]+/[^\\u0000]+$', 'must be a kind and an id, such as order/42'),
      examples: ['order/42'],
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
})
export type EventQuery = Type.Static<typeof EventQuery>
