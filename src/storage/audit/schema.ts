import { Type } from 'typebox'
import { Named, Nullable, Text, Time, Uuid } from '#platform/http/schema.ts'

const AuditLog = Named('AuditLog', {
  id: Uuid,
  action: Type.String({ examples: ['object.uploaded'] }),
  resource_type: Type.String(),
  resource_id: Type.String(),
  actor_user_id: Nullable(Uuid),
  ip_address: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
})

export const AuditPage = Named('AuditPage', {
  total: Type.Integer({ minimum: 0, description: 'How many rows match, on all pages' }),
  rows: Type.Array(AuditLog),
})

export const AuditQuery = Type.Object({
  objectKey: Type.Optional(Text(0, 1024, { description: 'A part of the object key' })),
  action: Type.Optional(Text(0, 255, { description: 'Exactly this action' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
})
export type AuditQuery = Type.Static<typeof AuditQuery>
