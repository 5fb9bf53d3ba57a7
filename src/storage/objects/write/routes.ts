import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadHeaders } from '#platform/http/contract/openapi/headers.ts'
import { rawRequest, withRawBodies } from '#platform/http/response/bytes.ts'
import { scoped } from '#platform/http/scope.ts'
import { type Module, who } from '../../access.ts'
import { bucketOf } from '../../buckets/lookup.ts'
import { BucketPath } from '../../buckets/schema.ts'
import { dialectOf } from '../../dialect.ts'
import { countAs } from '../../guard.ts'
import { keyPaths, refOf } from '../paths.ts'
import { AnyObject, ObjectBatch, objectUrl, UploadedBatch } from '../schema.ts'
import { uploadBatch } from './batch.ts'
import { fingerprintOf, type IncomingForm, receiveForm, uploadRaw } from './receive.ts'
import { storeUpload } from './write.ts'

const tags = ['Objects']

const incoming = (req: FastifyRequest): IncomingForm => ({
  headers: req.headers,
  parts: () => req.parts() as AsyncIterable<never>,
  discard: () => void req.raw.resume(),
})

const uploadForm = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: { type: 'string', format: 'binary' },
          objectKey: { type: 'string', description: 'Default: the name of the file.' },
          key: { type: 'string', description: 'The same, as Form R calls it.' },
          metadata: {
            type: 'string',
            description: 'A JSON object of text values.',
            examples: ['{"author":"ada"}'],
          },
          cacheControl: { type: 'string', description: '`Cache-Control` of downloads.' },
          contentDisposition: { type: 'string', description: '`Content-Disposition` of downloads.' },
          contentEncoding: { type: 'string', description: '`Content-Encoding` of downloads.' },
          contentLanguage: { type: 'string', description: '`Content-Language` of downloads.' },
        },
      },
    },
  },
}

export const uploads: Module = (app, ctx) => {
  withRawBodies(app, (scope) => {
    for (const { url, params, hide } of keyPaths)
      scope.put(
        url,
        {
          schema: {
            operationId: 'putObject',
            summary: 'Upload an object',
            description:
              'Stores the request body as an object, byte for byte, with its `Content-Type`; headers ' +
              '`x-meta-*` become its metadata. Returns 201 for a new key and 200 when it replaces an ' +
              'object, whose earlier content is kept as a version if the bucket has versioning. ' +
              '`Content-MD5` and `Content-Digest` are checked, and `If-Match` and `If-None-Match` are ' +
              'honoured. `Cache-Control`, `Content-Disposition`, `Content-Encoding` and `Content-Language` are ' +
              'kept and sent with downloads; `Content-Range` is refused with 400. Over a quota the upload is refused with 403, over the upload size limit (1 GiB by ' +
              'default) with 413.',
            tags,
            params,
            hide,
            consumes: ['application/octet-stream'],
            response: { 200: AnyObject, 201: AnyObject },
          },
          config: {
            access: 'bucket.use',
            shape: 'object',
            partOfWildcard: !hide,
            reads: uploadHeaders,
            sends: ['ETag'],
            refuses: [412, 507],
          },
        },
        async (req, reply) => {
          const me = who(req)
          const { bucketId, key } = refOf(req)
          const bucket = await bucketOf(ctx, me.orgId, bucketId)
          const { object, created } = await uploadRaw(ctx, me, { bucket, key, ...rawRequest(req) })
          reply.code(created ? 201 : 200).header('etag', `"${object.etag}"`)
          return object
        },
      )
  })

  app.post(
    '/buckets/:bucketId/objects/batch',
    {
      schema: {
        operationId: 'uploadObjects',
        summary: 'Upload several small objects',
        description:
          'Stores up to 100 objects whose bytes are in the request, which may have 1 MiB. Each is stored as ' +
          'a request of its own would store it, with the same checks and quotas, and counts as one towards ' +
          'the rate limit. The response lists which were stored and which were refused, with the status and ' +
          'the reason. After a 503, or no response at all, some may be stored; sending the same request ' +
          'again stores the rest.',
        tags,
        params: BucketPath,
        body: ObjectBatch,
        response: { 200: UploadedBatch },
      },
      config: { access: 'bucket.use', partOfWildcard: true, idempotent: true, refuses: [507] },
    },
    async (req, reply) => {
      const me = who(req)
      const bucket = await bucketOf(ctx, me.orgId, req.params.bucketId)
      await countAs(ctx, me, req.body.objects.length, reply)
      return uploadBatch(ctx, me, bucket, req.body)
    },
  )

  scoped(app, async (scope) => {
    const limits = {
      fileSize: Number.MAX_SAFE_INTEGER,
      fieldSize: 64 * 1024,
      fields: 20,
      files: 5,
      parts: 25,
    }
    await scope.register(multipart, { limits, throwFileSizeLimit: false })
    scope.post(
      '/buckets/:bucketId/objects/upload',
      {
        schema: {
          operationId: 'uploadObject',
          summary: 'Upload an object as a form',
          description:
            'Stores a file that is sent as `multipart/form-data`. The fields may come in any order: ' +
            '`file`; `objectKey` or `key`, which defaults to the name of the file (Form R requires it); ' +
            'and `metadata`, a JSON object of custom pairs. Quotas and limits are those of a raw upload.',
          tags,
          consumes: ['multipart/form-data'],
          params: BucketPath,
          response: { 201: AnyObject },
        },
        config: {
          access: 'bucket.use',
          shape: 'object',
          idempotent: 'streamed',
          partOfWildcard: true,
          requestBody: uploadForm,
          created: objectUrl,
          refuses: [507],
        },
      },
      async (req, reply) => {
        const form = { ...incoming(req), keyRequired: dialectOf(req) === 'R' }
        const { upload, blob } = await receiveForm(ctx, who(req), req.params.bucketId, form)
        req.body = fingerprintOf(upload, blob)
        const { object } = await storeUpload(ctx, who(req), upload, { blob })
        reply.code(201)
        return object
      },
    )
  })
}
