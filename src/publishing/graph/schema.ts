import { Named, OneOf } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const statuses = ['following', 'requested', 'none'] as const
export type FollowStatus = (typeof statuses)[number]

export const Follow = Named('Follow', { status: OneOf([...statuses]), handle: Type.String() })
export const Answered = Named('AnsweredRequest', {
  status: OneOf(['accepted', 'rejected']),
  handle: Type.String(),
})
export const Blocked = Type.Object({ blocked: Type.Boolean() })
export const Muted = Type.Object({ muted: Type.Boolean() })
