import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { rawRequest, withRawBodies } from '#platform/http/response/bytes.ts'
import { isNotModified } from '#platform/http/response/conditional.ts'
import { inert } from '#platform/http/response/headers.ts'
import { notModified } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { type Kind, kinds, sizes } from '../picture-urls.ts'
import { Profile } from '../profiles/schema.ts'
import { changePicture, readPictureAt, removePicture } from './pictures.ts'
import { checkAnnounced, formLimits, readPicture, readPictureForm } from './receive.ts'

const tags = ['Profiles']
const Picture = { type: 'string', format: 'binary' }
const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

const requestBody = {
  description: 'The image itself, or a form with one file. Its content decides what it is, not its type.',
  required: true,
  content: {
    ...Object.fromEntries(types.map((type) => [type, { schema: Picture }])),
    'multipart/form-data': {
      schema: { type: 'object', required: ['picture'], properties: { picture: Picture } },
    },
  },
}

const pictureIn = async (req: FastifyRequest) => {
  checkAnnounced(req.headers['content-length'], req.isMultipart())
  if (!req.isMultipart()) return readPicture(rawRequest(req).body)
  return (await readPictureForm(req.parts())).picture
}

const words: Record<Kind, { name: string; where: string }> = {
  avatar: { name: 'Avatar', where: 'beside your posts' },
  banner: { name: 'Banner', where: 'at the top of your profile' },
}

const describe = (kind: Kind) => {
  const { large, small } = sizes[kind]
  return (
    `Stores the picture that is shown ${words[kind].where}, in place of the one before. JPEG, PNG, WebP, GIF (its first ` +
    'frame) or AVIF of at most 2 MiB and 25 megapixels (AVIF: 12). It is cropped to fit and encoded anew as WebP in two sizes, ' +
    `${large.width}×${large.height} and ${small.width}×${small.height}, so that nothing of its metadata is kept. ` +
    `\`${kind}_url\` becomes the public address of the large one; the small one is at the same address with ` +
    `\`-${small.width}\` instead of \`-${large.width}\`. At most 300 changes a minute for each account.`
  )
}

const uploads: Module = (app, ctx) => {
  withRawBodies(app, (scope) => {
    void scope.register(multipart, { limits: formLimits, throwFileSizeLimit: false })
    for (const kind of kinds)
      scope.put(
        `/api/users/me/${kind}`,
        {
          schema: {
            operationId: `upload${words[kind].name}`,
            summary: `Upload your ${kind}`,
            description: describe(kind),
            tags,
            response: { 200: Ok(Profile) },
          },
          config: { access: 'user', requestBody, refuses: [404, 507] },
        },
        async (req) => ok(await changePicture(ctx, who(req), kind, await pictureIn(req))),
      )
  })

  for (const kind of kinds)
    app.delete(
      `/api/users/me/${kind}`,
      {
        schema: {
          operationId: `remove${words[kind].name}`,
          summary: `Remove your ${kind}`,
          description: `Removes the picture that is shown ${words[kind].where}, uploaded or not. Its bytes are deleted at once, or after a running backup.`,
          tags,
          response: { 200: Ok(Profile) },
        },
        config: { access: 'user', refuses: [404] },
      },
      async (req) => ok(await removePicture(ctx, who(req), kind)),
    )
}

const PicturePath = Type.Object({
  file: Type.String({ examples: ['4f1c9a0be2d87365af1c9a0be2d87365-400.webp'] }),
})

const pictureHeaders = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
  ...inert,
}

export const pictures: Module = (app, ctx) => {
  uploads(app, ctx)

  app.get(
    '/media/:file',
    {
      schema: {
        operationId: 'getPicture',
        summary: 'Get a picture',
        description:
          'Returns an uploaded avatar or banner, for as long as its account shows it and is not suspended. ' +
          'The address changes with the content, so a copy may be kept for ever. Not rate-limited.',
        tags,
        params: PicturePath,
        response: {
          200: { description: 'The picture', content: { 'image/webp': { schema: Picture } } } as never,
          304: notModified,
        },
      },
      config: { access: 'open', reads: ['If-None-Match'], sends: ['ETag'] },
    },
    async (req, reply) => {
      const { file } = req.params
      const bytes = await readPictureAt(ctx, `/media/${file}`)
      const etag = `"${file.replace('.webp', '')}"`
      reply.headers({ ...pictureHeaders, etag })
      if (isNotModified(req.headers, { etag, lastModified: null, isDated: false }))
        return reply.code(304).send()
      return reply.send(bytes)
    },
  )
}
