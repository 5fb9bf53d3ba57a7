import { Email, Id, Name, Named, OneOf, Password, Text } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { roles } from '../users/schema.ts'

export const Account = Named('Account', {
  user: Named('User', { id: Id, name: Type.String(), email: Email, role: OneOf(roles) }),
  tenant: Named('Tenant', { id: Id, name: Type.String() }),
})

export const SignedIn = Named('SignedIn', {
  token: Type.String({ description: 'For the header `Authorization: Bearer`, valid for 8 hours' }),
  ...Account.properties,
})

export const Registration = Named('Registration', {
  company_name: Name(),
  name: Name(),
  email: Email,
  password: Password(8, 128),
})
export type Registration = Type.Static<typeof Registration>

const RevokeKeys = Type.Optional(
  Type.Boolean({ description: 'Whether the API keys that you created end too; they stay unless it is true' }),
)

export const PasswordResetRequest = Named('PasswordResetRequest', { email: Email })

export const PasswordReset = Named('PasswordReset', {
  token: Text(1, 255, { description: 'From the mail; good once, within one hour' }),
  password: Password(8, 128),
  revoke_keys: RevokeKeys,
})

export const PasswordChange = Named('PasswordChange', {
  current_password: Password(1, 128),
  new_password: Password(8, 128),
  revoke_keys: RevokeKeys,
})
export type PasswordChange = Type.Static<typeof PasswordChange>

export const ProfileChange = Named('ProfileChange', { name: Type.Optional(Name()) })
export type ProfileChange = Type.Static<typeof ProfileChange>

export const Token = Named('Token', { token: SignedIn.properties.token })

export const Login = Named('Login', { email: Email, password: Password(1, 128) })
export type Login = Type.Static<typeof Login>
