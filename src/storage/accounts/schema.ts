import { Email, Named, Nullable, OneOf, Password, Pattern, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const Organization = Named('Organization', {
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  plan_status: OneOf(['trial', 'active', 'expired']),
  plan_expires_at: Nullable(Time),
  storage_tier: Type.String(),
  bandwidth_tier: Type.String(),
  storage_quota_bytes: Type.Integer(),
  storage_used_bytes: Type.Integer(),
  bandwidth_used_bytes: Type.Integer(),
  object_quota: Type.Integer(),
  retained_objects: Type.Integer(),
})

const User = Named('User', {
  id: Uuid,
  full_name: Type.String(),
  email: Email,
  role: OneOf(['owner', 'admin', 'member']),
  totp_enabled: Type.Boolean(),
  created_at: Time,
})

export const AuthResponse = Named('AuthResponse', {
  token: Type.String({ description: 'A JWT for the header `Authorization: Bearer`, valid for 12 hours' }),
  user: User,
  organization: Organization,
})

export const Account = Named('Account', { user: User, organization: Organization })

export const Registration = Named('Registration', {
  organizationName: Text(3, 255),
  organizationSlug: Text(
    3,
    255,
    Pattern('^[a-z0-9-]+$', 'can only have lowercase letters, digits and hyphens'),
  ),
  fullName: Text(2, 255),
  email: Email,
  password: Password(8, 128),
})
export type Registration = Type.Static<typeof Registration>

export const Login = Named('Login', {
  email: Email,
  password: Password(8, 128),
  totpToken: Type.Optional(
    Text(6, 6, {
      ...Pattern('^[0-9]{6}$', 'must be six digits'),
      description: 'Required when two-factor login is on',
    }),
  ),
})
export type Login = Type.Static<typeof Login>

export const NewSession = Named('NewSession', {
  email: Email,
  password: Password(8, 128),
  code: Type.Optional(
    Text(6, 6, {
      ...Pattern('^[0-9]{6}$', 'must be six digits'),
      description: 'Required when two-factor login is on',
    }),
  ),
})
export type NewSession = Type.Static<typeof NewSession>

/** Sent together with a new password. */
export const RevokeKeys = Type.Optional(
  Type.Boolean({ description: 'Whether your API keys end too; they stay unless it is true' }),
)

export const PasswordResetRequest = Named('PasswordResetRequest', { email: Email })

export const PasswordReset = Named('PasswordReset', {
  token: Text(1, 255, { description: 'From the mail; good once, within one hour' }),
  newPassword: Password(8, 128),
  revokeKeys: RevokeKeys,
})
export type PasswordReset = Type.Static<typeof PasswordReset>

export const Message = Named('Message', { message: Type.String() })
