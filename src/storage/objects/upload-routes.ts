import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { scoped } from '#platform/http/scope.ts'
import { type App, type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { formOf } from '../dialect.ts'
import { bucketOf } from '../policies/authorize.ts'
import type { IncomingForm } from './form.ts'
import type { RawRequest } from './headers.ts'
import { AnyObject, keyOf, keyPaths } from './routes.ts'
import { receiveForm, storeForm, substanceOf, uploadRaw } from './uploads.ts'

const tags = ['Objects']

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(;.*)?$/

/** Routes whose bodies are bytes: they get the stream, whatever its type. What is no type counts as none. */
export const withRawBodies = (app: App, routes: (scope: App) => void) =>
  scoped(app, (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, streamed: true }
    })
    scope.addHook('onRequest', (req, _, done) => {
      if (!mediaType.test(req.headers['content-type'] ?? '')) delete req.raw.headers['content-type']
      done()
    })
    scope.addContentTypeParser(
      '*',
      (_req: FastifyRequest, payload: unknown, done: (e: null, body: unknown) => void) => done(null, payload),
    )
    routes(scope)
  })

export const rawRequest = (req: FastifyRequest): RawRequest => ({
  headers: req.headers,
  body: (req.body as Readable | undefined) ?? null,
})

const incoming = (req: FastifyRequest): IncomingForm => ({
  headers: req.headers,
  parts: () => req.parts() as AsyncIterable<never>,
  discard: () => void req.raw.resume(),
})

export const uploads: Module = (app, ctx) => {
  withRawBodies(app, (scope) => {
    for (const { url, params, hide } of keyPaths)
      scope.put(
        url,
        {
          schema: {
            operationId: 'putObject',
            summary: 'Store the body as an object',
            description:
              'The body is kept byte for byte with its `Content-Type`; headers `x-meta-*` become its metadata. ' +
              '`Content-MD5` and `Content-Digest` are checked, `If-Match` and `If-None-Match` are honoured.',
            tags,
            params,
            hide,
            consumes: ['application/octet-stream'],
            response: { 200: AnyObject, 201: AnyObject },
          },
          config: { access: 'bucket.use', shape: 'object', partOfWildcard: !hide },
        },
        async (req, reply) => {
          const me = who(req)
          const key = keyOf(req)
          const bucket = await bucketOf(ctx, me.orgId, req.params.bucketId)
          const { object, created } = await uploadRaw(ctx, me, bucket, key, rawRequest(req))
          reply.code(created ? 201 : 200)
          return object
        },
      )
  })

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
          summary: 'Upload a file as a form',
          description:
            'Fields, in any order: `file`; `objectKey` or `key` (Form R: required), else the name of the file; ' +
            '`metadata`, a JSON object of custom pairs.',
          tags,
          consumes: ['multipart/form-data'],
          params: BucketPath,
          response: { 201: AnyObject },
        },
        config: { access: 'bucket.use', shape: 'object', idempotent: 'streamed', partOfWildcard: true },
      },
      async (req, reply) => {
        const keyRequired = formOf(req) === 'R'
        const form = await receiveForm(ctx, who(req), req.params.bucketId, incoming(req), { keyRequired })
        req.body = substanceOf(form.upload)
        const { object } = await storeForm(ctx, who(req), form)
        reply.code(201)
        return object
      },
    )
  })
}
