import { csvFields } from '#platform/http/response/csv.ts'
import { Email, Named, Nullable, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

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

const Moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

const filter = {
  objectKey: Type.Optional(Text(0, 1024, { description: 'A part of the object key' })),
  action: Type.Optional(Text(0, 255, { description: 'Exactly this action' })),
  actorUserId: Type.Optional(Type.String({ format: 'uuid', description: 'What this person did' })),
  from: Moment('At this time or later'),
  to: Moment('Before this time'),
}

export const AuditFilter = Type.Object({ ...filter, ...csvFields })
export type AuditFilter = Type.Static<Type.TObject<typeof filter>>

export const AuditQuery = Type.Object({
  ...filter,
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
})
export type AuditQuery = Type.Static<typeof AuditQuery>

export const AuditChoices = Named('AuditChoices', {
  actions: Type.Array(
    Named('AuditedAction', {
      action: Type.String({ examples: ['object.uploaded'] }),
      rows: Type.Integer({ minimum: 0, description: 'How many entries have it' }),
    }),
  ),
  actors: Type.Array(Named('AuditedActor', { id: Uuid, full_name: Type.String(), email: Email })),
})
