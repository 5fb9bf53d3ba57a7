import type { FastifyReply, FastifyRequest } from 'fastify'
import { downloadHeaders, uploadHeaders } from '#platform/http/contract/openapi/headers.ts'
import { rawRequest, sendBytes, withRawBodies } from '#platform/http/response/bytes.ts'
import { notModified, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { keyInUrl } from '../objects/key.ts'
import { deliver } from '../objects/read/delivery.ts'
import { AnyObject, Bytes } from '../objects/schema.ts'
import { uploadRaw } from '../objects/write/receive.ts'
import { SignedQuery, SignedUrl, SigningRequest } from './schema.ts'
import { createSignedUrl, openForReading, openForWriting, type PublicRequest } from './signed-urls.ts'

const tags = ['Signed URLs']

/** The object in `/public/objects/<bucket id>/<key>`, and the signature in the query. */
const publicRequest = ({ params, originalUrl, query, ip }: FastifyRequest): PublicRequest => ({
  ref: { bucketId: (params as { bucketId: string }).bucketId, key: keyInUrl(originalUrl, 3) },
  query: query as SignedQuery,
  ip,
})

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
        summary: 'Create a signed URL',
        description:
          'Returns a URL with which anyone can download (`GET`) or upload (`PUT`) one object until it ' +
          'expires. It is valid for one hour by default: 60 seconds to 24 hours with `expiresInSeconds`, ' +
          'up to 7 days with `expiresIn`. `maxBytes` and `contentType` limit what may be uploaded; ' +
          '`versionId` is for one content of the key, also after it was replaced. A URL ' +
          'stops working when the one who signed it loses the right to do the same.',
        tags,
        params: BucketPath,
        body: SigningRequest,
        response: { 200: SignedUrl },
      },
      config: { access: 'bucket.use', onlyFormR: ['expiresIn'], showsSecret: true },
    },
    (req) => createSignedUrl(ctx, who(req), req.params.bucketId, req.body),
  )

  const send = async (req: FastifyRequest, reply: FastifyReply) => {
    const found = await openForReading(ctx, publicRequest(req))
    return sendBytes(req, reply, await deliver(ctx, req, found))
  }

  for (const { url, params, hide } of keyPaths) {
    const config = { access: 'public', limit: 'publicDownload', partOfWildcard: !hide } as const
    const reading = { ...config, ...downloadHeaders, refuses: [401, 403, ...downloadHeaders.refuses] }
    const shared = {
      tags,
      params,
      hide,
      querystring: SignedQuery,
      response: { 200: Bytes, 206: Bytes, 304: notModified },
    }
    app.head(
      url,
      {
        schema: { ...shared, operationId: 'headPublicObject', summary: 'What a public download would be' },
        config: reading,
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
          summary: 'Download a public object',
          description:
            'Returns the bytes of an object in a public bucket, or of any object with a signed URL; no ' +
            'credentials are needed. A private bucket without a valid signature, and a URL that has ' +
            'expired or was altered, return 403; `code` says which: `link_expired`, `link_invalid`, ' +
            '`link_wrong_method` or `link_withdrawn`. Browsers get errors as a page. At most 600 requests a ' +
            'minute from one address.',
        },
        config: reading,
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
            summary: 'Upload with a signed URL',
            description:
              'Stores the request body as an object, with a URL that was signed for `PUT`; no credentials ' +
              'are needed. The limits that were set at signing, `maxBytes` and `contentType`, apply. A URL ' +
              'that has expired or was altered returns 403.',
            consumes: ['application/octet-stream'],
            response: { 201: AnyObject },
          },
          config: {
            ...config,
            shape: 'object',
            reads: uploadHeaders,
            sends: ['ETag'],
            refuses: [401, 403, 409, 412, 507],
          },
        },
        async (req, reply) => {
          const contentType = req.headers['content-type']
          const { writer, ...opened } = await openForWriting(ctx, { ...publicRequest(req), contentType })
          const { object } = await uploadRaw(ctx, writer, { ...opened, ...rawRequest(req) })
          reply.code(201).header('etag', `"${object.etag}"`)
          return object
        },
      )
    })
  }
}
