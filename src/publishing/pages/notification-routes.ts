import type { FastifyRequest } from 'fastify'
import { OneOf } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type App, member, reader } from '../access.ts'
import type { Publishing } from '../context.ts'
import { countUnread, markReadBefore, markShown } from '../notifications/notifications.ts'
import { pageFields } from '../paging.ts'
import { bell, maxUnread } from './bell.ts'
import { notificationsPage, type Shown } from './notifications.ts'
import { partWanted, redirect, sendPage, sendPart } from './reply.ts'

const forMembers = { access: 'member' } as const
const shown: Shown[] = ['all', 'mentions']

const Query = Type.Object({ page: pageFields.page, show: OneOf(shown, { default: 'all' }) })

/** A hundred ids have fewer than 1,700 characters. */
const ReadForm = Type.Object({
  shown: Type.Optional(Type.String({ maxLength: 2_000, pattern: '^(\\d{1,15}(,\\d{1,15})*)?$' })),
  upto: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
})

/** The header of every page says how many notifications are unread. */
export const countForHeader = (app: App, ctx: Publishing) =>
  app.addHook('preHandler', async (req: FastifyRequest) => {
    const me = reader(req)
    if (me && !partWanted(req)) me.unread = await countUnread(ctx, me, maxUnread + 1)
  })

/** The page of notifications, and what marks them as read. */
export const notificationRoutes = (app: App, ctx: Publishing) => {
  app.get(
    '/notifications',
    { schema: { hide: true, querystring: Query }, config: forMembers },
    async (req, reply) => sendPage(req, reply, await notificationsPage(ctx, member(req), req.query)),
  )

  app.post(
    '/notifications/read',
    { schema: { hide: true, body: ReadForm }, config: forMembers },
    async (req, reply) => {
      const me = member(req)
      const { shown = '', upto } = req.body
      if (upto) await markReadBefore(ctx, me, Number(upto) + 1)
      else await markShown(ctx, me, shown.split(',').filter(Boolean).map(Number))
      if (!partWanted(req)) return redirect(reply, '/notifications')
      return sendPart(reply, bell('/notifications', await countUnread(ctx, me, maxUnread + 1)))
    },
  )
}
