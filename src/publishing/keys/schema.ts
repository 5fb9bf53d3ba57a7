import { Id, Name, Named, Nullable, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const NewKey = Named('NewKey', {
  name: Name(100),
  daily_post_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
})
export type NewKey = Type.Static<typeof NewKey>

export const KeyCreated = Named('KeyCreated', {
  id: Id,
  key: Type.String({ description: 'The whole key, shown only now', examples: ['f9k_…'] }),
  prefix: Type.String(),
  name: Type.String(),
  dailyPostLimit: Type.Integer(),
})

const fields = {
  id: Id,
  name: Type.String(),
  key_prefix: Type.String(),
  daily_post_limit: Type.Integer(),
  posts_today: Type.Integer({ description: 'Starts again at midnight UTC' }),
}

export const Key = Named('Key', {
  ...fields,
  is_active: Type.Boolean(),
  created_at: Time,
  last_used_at: Nullable(Time),
})
export type Key = Type.Static<typeof Key>

export const KeyUsage = Named('KeyUsage', {
  ...fields,
  postsRemainingToday: Type.Integer(),
  last_used_at: Nullable(Time),
})
export type KeyUsage = Type.Static<typeof KeyUsage>
