import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Uuid } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { deliver } from '../objects/download-routes.ts'
import { keyInUrl } from '../objects/key.ts'
import { AnyObject } from '../objects/routes.ts'
import { Bytes } from '../objects/schema.ts'
import { rawRequest, withRawBodies } from '../objects/upload-routes.ts'
import { uploadRaw } from '../objects/uploads.ts'
import { SignedQuery, SignedUrl, SigningRequest } from './schema.ts'
import { createSignedUrl, openForReading, openForWriting } from './signed-urls.ts'

const tags = ['Signed URLs']

/** `/public/objects/<bucket id>/<key>` */
const placeOf = (req: FastifyRequest) =>
  [
    (req.params as { bucketId: string }).bucketId,
    keyInUrl(req.originalUrl, 3),
    req.query as SignedQuery,
  ] as const

const keyPaths = [
  {
    url: '/public/objects/:bucketId/:objectKey',
    params: Type.Object({ bucketId: Uuid, objectKey: Type.String() }),
    hide: false,
  },
  { url: '/public/objects/:bucketId/*', params: BucketPath, hide: true },
]

export const signedUrls: Module = (app, ctx) => {
  app.post(
    '/buckets/:bucketId/signed-url',
    {
      schema: {
        operationId: 'createSignedUrl',
        summary: 'An address that lets anyone download or upload one object for a while',
        tags,
        params: BucketPath,
        body: SigningRequest,
        response: { 200: SignedUrl },
      },
      config: { access: 'bucket.use', onlyFormR: ['expiresIn'] },
    },
    (req) => createSignedUrl(ctx, who(req), req.params.bucketId, req.body),
  )

  const send = async (req: FastifyRequest, reply: FastifyReply) =>
    deliver(ctx, req, reply, await openForReading(ctx, ...placeOf(req), req.ip))

  for (const { url, params, hide } of keyPaths) {
    const config = { access: 'public', limit: 'publicDownload', partOfWildcard: !hide } as const
    const shared = { tags, params, hide, querystring: SignedQuery, response: { 200: Bytes, 206: Bytes } }
    app.head(
      url,
      {
        schema: { ...shared, operationId: 'headPublicObject', summary: 'What a public download would be' },
        config,
      },
      send as never,
    )
    app.get(
      url,
      {
        exposeHeadRoute: false,
        schema: {
          ...shared,
          operationId: 'downloadPublicObject',
          summary: 'Download from a public bucket, or with a signed URL',
        },
        config,
      },
      send as never,
    )
    withRawBodies(app, (scope) => {
      scope.put(
        url,
        {
          schema: {
            ...shared,
            operationId: 'uploadWithSignedUrl',
            summary: 'Upload the body with a URL signed for PUT',
            consumes: ['application/octet-stream'],
            response: { 201: AnyObject },
          },
          config: { ...config, shape: 'object' },
        },
        async (req, reply) => {
          const [bucketId, key, query] = placeOf(req)
          const opened = await openForWriting(ctx, bucketId, key, query, req.headers, req.ip)
          const { object } = await uploadRaw(
            ctx,
            opened.visitor,
            opened.bucket,
            key,
            rawRequest(req),
            opened.maxBytes,
          )
          reply.code(201)
          return object
        },
      )
    })
  }
}
