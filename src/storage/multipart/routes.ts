import { Type } from 'typebox'
import { rawRequest, withRawBodies } from '#platform/http/bytes.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { AnyObject } from '../objects/schema.ts'
import { abort, complete, getSession, initiate, listUploads, putPart } from './multipart.ts'
import * as shapes from './schema.ts'

const tags = ['Multipart uploads']
const session = '/buckets/:bucketId/multipart/:uploadId'

export const multipart: Module = (app, ctx) => {
  app.get(
    '/uploads',
    {
      schema: {
        operationId: 'listUploads',
        summary: 'Multipart uploads, newest first',
        tags,
        response: { 200: Type.Array(shapes.MultipartSession) },
      },
      config: { access: 'bucket.use' },
    },
    (req) => listUploads(ctx, who(req)),
  )

  app.post(
    '/buckets/:bucketId/multipart/initiate',
    {
      schema: {
        operationId: 'initiateUpload',
        summary: 'Begin an upload in parts',
        tags,
        params: BucketPath,
        body: shapes.NewMultipart,
        response: { 201: shapes.MultipartSession },
      },
      config: { access: 'bucket.use', idempotent: true },
    },
    async (req, reply) => {
      reply.code(201)
      return initiate(ctx, who(req), req.params.bucketId, req.body)
    },
  )

  app.get(
    session,
    {
      schema: {
        operationId: 'getUpload',
        summary: 'An upload and its parts so far',
        tags,
        params: shapes.UploadPath,
        response: { 200: shapes.SessionWithParts },
      },
      config: { access: 'bucket.use' },
    },
    (req) => getSession(ctx, who(req), req.params),
  )

  app.get(
    `${session}/parts`,
    {
      schema: {
        operationId: 'listParts',
        summary: 'The parts so far',
        tags,
        params: shapes.UploadPath,
        response: { 200: shapes.PartList },
      },
      config: { access: 'bucket.use' },
    },
    async (req) => {
      const { parts } = await getSession(ctx, who(req), req.params)
      return { parts }
    },
  )

  withRawBodies(app, (scope) => {
    scope.put(
      `${session}/parts/:partNumber`,
      {
        schema: {
          operationId: 'uploadPart',
          summary: 'Send a part; sent again it replaces the one before',
          tags,
          params: shapes.PartPath,
          consumes: ['application/octet-stream'],
          response: { 200: shapes.Part },
        },
        config: { access: 'bucket.use', refuses: [409, 507] },
      },
      (req) => putPart(ctx, who(req), req.params, rawRequest(req)),
    )
  })

  app.post(
    `${session}/complete`,
    {
      schema: {
        operationId: 'completeUpload',
        summary: 'Join the parts into an object',
        tags,
        params: shapes.UploadPath,
        body: shapes.Completion,
        response: { 200: AnyObject, 201: AnyObject },
      },
      config: { access: 'bucket.use', shape: 'object', idempotent: true },
      // Without a body: all the parts there are.
      preValidation: (req, _, done) => {
        req.body ??= {}
        done()
      },
    },
    async (req, reply) => {
      const { object, created } = await complete(ctx, who(req), req.params, req.body)
      reply.code(created ? 201 : 200)
      return object
    },
  )

  app.delete(
    session,
    {
      schema: {
        operationId: 'abortUpload',
        summary: 'Give an upload up; its parts go',
        tags,
        params: shapes.UploadPath,
        response: { 200: Type.Object({ aborted: Type.Boolean(), requestId: Type.Optional(Type.String()) }) },
      },
      config: { access: 'bucket.use', refuses: [409] },
    },
    async (req) => {
      await abort(ctx, who(req), req.params)
      return { aborted: true }
    },
  )
}
