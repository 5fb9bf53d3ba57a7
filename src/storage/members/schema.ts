import { Email, Named, OneOf, Password, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const roles = ['admin', 'member'] as ['admin', 'member']

export const Member = Named('Member', {
  id: Uuid,
  full_name: Type.String(),
  email: Email,
  role: OneOf(['owner', 'admin', 'member']),
  created_at: Time,
})

export const NewMember = Named('NewMember', {
  fullName: Text(1, 255),
  email: Email,
  password: Password(8, 128),
  role: OneOf(roles, { default: 'member' }),
})
export type NewMember = Type.Static<typeof NewMember>

export const MemberChange = Named('MemberChange', { role: OneOf(roles) })
export type MemberChange = Type.Static<typeof MemberChange>
