import { type Module, who } from '../access.ts'
import { Ok, ok, okPage } from '../envelope.ts'
import { countUnread, listNotifications, markRead } from './notifications.ts'
import { Marked, NotificationPage, NotificationQuery, ReadMark, Unread } from './schema.ts'

const tags = ['Notifications']
const config = { access: 'user' } as const

export const notifications: Module = (app, ctx) => {
  app.get(
    '/api/notifications',
    {
      schema: {
        operationId: 'listNotifications',
        summary: 'List notifications',
        description:
          'Returns what others did that concerns you, newest first: likes and reposts of your posts, replies ' +
          'and quotes, mentions, follows, and requests to follow. `post` is your own post if it was liked or ' +
          'reposted, and the new post if it replies to you, quotes or mentions you. What is undone disappears. ' +
          'Nothing is told of accounts that you mute or block, or that block you. Notifications that have been ' +
          'read are kept for 90 days.',
        tags,
        querystring: NotificationQuery,
        response: { 200: NotificationPage },
      },
      config,
    },
    async (req) => {
      const { notifications, total, unread } = await listNotifications(ctx, who(req), req.query)
      return okPage({ notifications }, req.query, total, { unread_count: unread })
    },
  )

  app.get(
    '/api/notifications/unread-count',
    {
      schema: {
        operationId: 'countUnreadNotifications',
        summary: 'Count unread notifications',
        description: 'Returns how many notifications you have not read yet.',
        tags,
        response: { 200: Ok(Unread) },
      },
      config,
    },
    async (req) => ok({ unread_count: await countUnread(ctx, who(req)) }),
  )

  app.post(
    '/api/notifications/read',
    {
      schema: {
        operationId: 'markNotificationsRead',
        summary: 'Mark notifications as read',
        description:
          'Marks notifications as read: those with these `ids`, those `before` an id, or `all`. Exactly one of ' +
          'the three must be given. Ids of notifications that have disappeared are skipped; if none of them is ' +
          'yours, the response is 404.',
        tags,
        body: ReadMark,
        response: { 200: Ok(Marked) },
      },
      config: { ...config, refuses: [404] },
    },
    async (req) => {
      const marked = await markRead(ctx, who(req), req.body)
      return ok({ marked, unread_count: await countUnread(ctx, who(req)) })
    },
  )
}
