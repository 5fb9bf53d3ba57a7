import { Email, Id, Name, Named, OneOf, Password, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const roles = ['Admin', 'Manager', 'Staff'] as ['Admin', 'Manager', 'Staff']

export const Member = Named('Member', {
  id: Id,
  name: Type.String(),
  email: Type.String(),
  role: OneOf(roles),
  is_banned: Type.Boolean(),
  created_at: Time,
})
export type Member = Type.Static<typeof Member>

export const NewMember = Named('NewMember', {
  name: Name(),
  email: Email,
  password: Password(8, 128),
  role: OneOf(roles),
})
export type NewMember = Type.Static<typeof NewMember>

export const MemberChange = Named('MemberChange', {
  role: Type.Optional(OneOf(roles)),
  is_banned: Type.Optional(Type.Boolean()),
})
export type MemberChange = Type.Static<typeof MemberChange>
