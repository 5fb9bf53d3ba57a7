import multipart from '@fastify/multipart'
import { AppError } from '#platform/errors.ts'
import { scoped } from '#platform/http/scope.ts'
import { type App, member } from '../access.ts'
import type { Publishing } from '../context.ts'
import { kinds } from '../picture-urls.ts'
import { changePicture, removePicture } from '../pictures/pictures.ts'
import { checkAnnounced, formLimits, readPictureForm } from '../pictures/receive.ts'
import { hasOwnToken } from './forms.ts'
import { picturesPage } from './pictures.ts'
import { redirect, sendPage, submit } from './reply.ts'

const forMembers = { access: 'member' } as const
const page = '/settings/pictures'

/** The page of pictures, and the buttons that remove them. */
export const pictureRoutes = (app: App, ctx: Publishing) => {
  app.get(page, { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    sendPage(req, reply, await picturesPage(ctx, member(req))),
  )
  for (const kind of kinds)
    app.post(
      `/settings/${kind}/remove`,
      { schema: { hide: true }, config: forMembers },
      async (req, reply) => {
        await removePicture(ctx, member(req), kind)
        return redirect(reply, page)
      },
    )
}

/** Forms with a file. They are read as they come, so the form token is known and checked only then. */
export const pictureUploads = (app: App, ctx: Publishing) =>
  scoped(app, async (scope) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, { limits: formLimits, throwFileSizeLimit: false })
    for (const kind of kinds)
      scope.post(
        `/settings/${kind}`,
        { schema: { hide: true }, config: { ...forMembers, streamed: true } },
        (req, reply) => {
          const me = member(req)
          return submit(
            req,
            reply,
            async () => {
              checkAnnounced(req.headers['content-length'], true)
              const { fields, picture } = await readPictureForm(req.parts())
              req.body = fields
              if (!hasOwnToken(req, me))
                throw new AppError(403, 'This page was out of date, so nothing has changed. Choose it again.')
              await changePicture(ctx, me, kind, picture)
              return redirect(reply, page)
            },
            ({ note, fields }) => picturesPage(ctx, me, { fields: { [kind]: note ?? fields.picture ?? '' } }),
          )
        },
      )
  })
