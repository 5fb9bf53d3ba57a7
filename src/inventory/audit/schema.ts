import { Id, Named, Nullable, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day } from '../lists.ts'
import { actions } from './operations.ts'

export const AuditEntry = Named('AuditEntry', {
  id: Id,
  action: Type.String({ examples: ['product.updated'] }),
  resource_type: Type.String({ examples: ['product'] }),
  resource_id: Nullable(Type.String({ examples: ['7'] })),
  user_id: Nullable(Id),
  user_name: Nullable(Type.String()),
  api_key_id: Nullable(Id),
  key_name: Nullable(Type.String()),
  ip_address: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
})
export type AuditEntry = Omit<Type.Static<typeof AuditEntry>, 'details'> & {
  details: Record<string, unknown>
}

const mostAtOnce = 200

export const AuditQuery = Type.Object({
  user_id: Type.Optional(Id),
  action: Type.Optional(Text(1, 100, { description: `Exactly this action: one of ${actions.join(', ')}` })),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  limit: Type.Integer({ minimum: 1, maximum: mostAtOnce, default: 50 }),
  cursor: Type.Optional(Text(1, 20, { description: '`next_cursor` of the page before' })),
})
export type AuditQuery = Type.Static<typeof AuditQuery>

export const AuditPage = Type.Object({
  audit_logs: Type.Array(AuditEntry),
  total: Type.Integer({ description: 'How many entries match, on all pages' }),
  next_cursor: Nullable(Type.String({ description: 'For the next page; null on the last' })),
})
