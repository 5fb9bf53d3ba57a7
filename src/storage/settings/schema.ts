import { Named, Password, Pattern, Text } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { RevokeKeys } from '../accounts/schema.ts'

export const PasswordChange = Named('PasswordChange', {
  currentPassword: Type.String({ minLength: 1, maxLength: 128, format: 'password' }),
  newPassword: Password(8, 128),
  revokeKeys: RevokeKeys,
})
export type PasswordChange = Type.Static<typeof PasswordChange>

export const ProfileChange = Named('ProfileChange', { fullName: Text(2, 255) })
export type ProfileChange = Type.Static<typeof ProfileChange>

export const OrganizationChange = Named('OrganizationChange', { name: Text(3, 255) })
export type OrganizationChange = Type.Static<typeof OrganizationChange>

export const TotpStatus = Named('TotpStatus', { enabled: Type.Boolean() })

export const TotpSetup = Named('TotpSetup', {
  secret: Type.String({ description: 'Base32' }),
  otpauth_url: Type.String({ description: 'For the QR code that authenticator apps scan' }),
})

export const TotpCode = Named('TotpCode', {
  token: Text(6, 6, {
    ...Pattern('^[0-9]{6}$', 'must be six digits'),
    description: 'The code that the authenticator shows now',
  }),
})

export const Ok = Named('Ok', { ok: Type.Boolean() })
