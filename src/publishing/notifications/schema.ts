import { Id, Named, OneOf, Pattern, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { OkPage } from '../envelope.ts'
import { pageFields } from '../paging.ts'
import { Author, Post } from '../posts/schema.ts'

export const notificationTypes = [
  'like',
  'repost',
  'reply',
  'quote',
  'mention',
  'follow',
  'follow_request',
  'follow_accepted',
] as const
export type NotificationType = (typeof notificationTypes)[number]

const oneType = notificationTypes.join('|')

export const NotificationQuery = Type.Object({
  ...pageFields,
  types: Type.Optional(
    Text(1, 200, {
      ...Pattern(
        `^(${oneType})(,(${oneType}))*$`,
        `must be one or more of ${notificationTypes.join(', ')}, separated by commas`,
      ),
      description: 'Only these types, separated by commas',
    }),
  ),
  unread: Type.Boolean({ default: false, description: 'Only those that are not read yet' }),
})
export type NotificationQuery = Type.Static<typeof NotificationQuery>

export const Notification = Named('Notification', {
  id: Id,
  type: OneOf([...notificationTypes], {
    description:
      '`follow_request` waits for your answer; `follow_accepted` tells that your own request was accepted',
  }),
  is_read: Type.Boolean(),
  created_at: Time,
  actor: Author,
  post: Type.Union([Post, Type.Null()]),
})
export type Notification = Type.Static<typeof Notification>

const unreadFields = { unread_count: Type.Integer({ description: 'Of all types' }) }
export const Unread = Type.Object(unreadFields)

export const NotificationPage = OkPage(
  Type.Object({ notifications: Type.Array(Notification) }),
  'NotificationMeta',
  unreadFields,
)

export const ReadMark = Named('ReadMark', {
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100, description: 'These notifications' })),
  before: Type.Optional(Type.Integer({ ...Id, description: 'All notifications with a lower id' })),
  all: Type.Optional(Type.Literal(true, { description: 'All notifications' })),
})
export type ReadMark = Type.Static<typeof ReadMark>

export const Marked = Type.Object({
  marked: Type.Integer({ description: 'How many were unread until now' }),
  ...unreadFields,
})
