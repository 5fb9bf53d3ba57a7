import { Named, Nullable, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const fields = {
  id: Uuid,
  label: Type.String(),
  key_prefix: Type.String({ description: 'The first characters of the key' }),
  created_at: Time,
  parent_id: Nullable(
    Type.String({
      format: 'uuid',
      description: 'The key it was made with; null if a person who signed in made it',
    }),
  ),
}

export const ApiKey = Named('ApiKey', { ...fields, last_used_at: Nullable(Time) })

export const ApiKeyCreated = Named('ApiKeyCreated', {
  ...fields,
  key: Type.String({ description: 'The whole key, shown only now' }),
  accessKey: Type.String(),
  secretKey: Type.String({ description: 'The second half of the key, shown only now' }),
})

export const ApiKeyPair = Named('ApiKeyPair', {
  id: Uuid,
  accessKey: Type.String(),
  secretKey: Type.String(),
  label: Type.String(),
  parentId: Nullable(Uuid),
  requestId: Type.String(),
})

export const NewApiKey = Named('NewApiKey', {
  label: Type.Optional(Nullable(Text(1, 255, { description: 'Required in Form R' }))),
})
