import { Named, Nullable, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const DeletedOne = Named('TrashedObject', {
  id: Uuid,
  object_key: Type.String(),
  version_id: Type.String({ format: 'uuid', description: 'Of its content, for `DELETE …/versions`' }),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  etag: Type.String(),
  deleted_at: Time,
  expires_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When it goes for good by the rules of its bucket; null: never',
    }),
  ),
  is_recoverable: Type.Boolean({
    description: 'Whether recovering its key brings it back: no other object of the key came after it',
  }),
})

export const Trash = Named('Trash', {
  objects: Type.Array(DeletedOne),
  next_cursor: Nullable(Type.String({ description: 'The `cursor` of the next page; null on the last one' })),
})

export const TrashQuery = Type.Object({
  search: Type.Optional(Text(0, 1024, { description: 'A part of the key' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '100 if not given' })),
  cursor: Type.Optional(Text(1, 255, { description: 'From `next_cursor` of the page before' })),
})
export type TrashQuery = Type.Static<typeof TrashQuery>
