import { Id, Name, Named, Nullable, OneOf, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, paging } from '../lists.ts'

const Permissions = Type.Array(OneOf(['read', 'write']))

const key = {
  id: Id,
  name: Type.String(),
  permissions: Permissions,
  expires_at: Type.Unsafe<string | null>({
    ...Nullable(Day),
    description: 'The last day on which it works, in the tenant’s time zone',
  }),
  created_at: Time,
}

export const ApiKey = Named('ApiKey', {
  ...key,
  key_prefix: Type.String(),
  last_used_at: Nullable(Time),
  is_active: Type.Boolean({
    description: 'Neither revoked nor expired, and whoever created it is not banned',
  }),
  status: OneOf(['active', 'revoked', 'expired', 'banned'], {
    description: 'Why it does not work, if it does not; `banned`: whoever created it is',
  }),
  created_by_name: Type.String(),
  requests: Type.Integer({ description: 'In the usage log, which keeps 90 days' }),
})
export type ApiKey = Type.Static<typeof ApiKey>

export const CreatedApiKey = Named('CreatedApiKey', {
  ...key,
  key: Type.String({ description: 'Shown this once' }),
  key_prefix: Type.String(),
})

export const NewApiKey = Named('NewApiKey', {
  name: Name(),
  permissions: Type.Array(OneOf(['read', 'write']), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    default: ['read'],
    description: '`["read"]`, or `["read", "write"]`',
  }),
  expires_at: Type.Optional(Nullable(Day)),
})
export type NewApiKey = Type.Static<typeof NewApiKey>

export const UsageEntry = Named('UsageEntry', {
  id: Id,
  api_key_id: Id,
  key_name: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status_code: Type.Integer(),
  response_time_ms: Type.Integer(),
  ip_address: Type.String(),
  created_at: Time,
})
export type UsageEntry = Type.Static<typeof UsageEntry>

export const UsageQuery = Type.Object({
  api_key_id: Type.Optional(Id),
  failed: Type.Optional(
    Type.Boolean({ description: '`true`: only requests that were answered with a status of 400 or above' }),
  ),
  ...paging(50),
})
export type UsageQuery = Type.Static<typeof UsageQuery>
