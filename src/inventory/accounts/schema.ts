import { Type } from 'typebox'
import { Email, Id, Name, Named, OneOf, Password } from '#platform/http/schema.ts'
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

export const Login = Named('Login', { email: Email, password: Password(1, 128) })
export type Login = Type.Static<typeof Login>
