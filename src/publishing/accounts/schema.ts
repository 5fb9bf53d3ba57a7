import { Email, Name, Named, Nullable, OneOf, Password, Pattern, Text } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Profile, ProfileChange } from '../profiles/schema.ts'

export const Tokens = Named('Tokens', {
  accessToken: Type.String({ description: 'For the header `Authorization: Bearer`' }),
  refreshToken: Type.String({ description: 'Works once, for 30 days' }),
  expiresIn: Type.Integer({ description: 'Seconds until the access token ends' }),
})

export const SignedIn = Named('SignedIn', { user: Profile, ...Tokens.properties })

export const Registration = Named('Registration', {
  email: Email,
  password: Password(8, 128),
  handle: Text(3, 30, Pattern('^[A-Za-z0-9_]{3,30}$', 'can only have letters, digits and underscores')),
  username: Name(50),
})
export type Registration = Type.Static<typeof Registration>

export const Login = Named('Login', { email: Email, password: Password(1, 128) })
export type Login = Type.Static<typeof Login>

export const Refresh = Named('Refresh', { refreshToken: Text(1, 200) })

const RevokeKeys = Type.Optional(
  Type.Boolean({ description: 'Whether your API keys end too; they stay unless it is true' }),
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

export const EmailChange = Named('EmailChange', { email: Email, password: Password(1, 128) })
export type EmailChange = Type.Static<typeof EmailChange>

export const EmailConfirmation = Named('EmailConfirmation', {
  token: Text(1, 255, { description: 'From the mail; good once, within one hour' }),
})

export const OwnEmail = Named('OwnEmail', {
  email: Type.String(),
  unconfirmed_email: Nullable(
    Type.String({ description: 'The new address, until the link that was mailed to it is opened' }),
  ),
})

const NotificationMails = OneOf(['none', 'daily'], {
  description: 'Whether a mail once a day tells of unread notifications; `none` at first',
})

export const OwnProfile = Named('OwnProfile', {
  ...Profile.properties,
  ...OwnEmail.properties,
  notification_mails: NotificationMails,
})
export type OwnProfile = Type.Static<typeof OwnProfile>

export const OwnChange = Named('ProfileChange', {
  ...ProfileChange.properties,
  notification_mails: Type.Optional(NotificationMails),
})
export type OwnChange = Type.Static<typeof OwnChange>

export const Message = Named('Message', { message: Type.String() })

export const Deletion = Named('AccountDeletion', { password: Password(1, 128) })
