import { rawRequest, withRawBodies } from '#platform/http/response/bytes.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { AnyObject, objectUrl } from '../objects/schema.ts'
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
        summary: 'List multipart uploads',
        description:
          "Returns the organization's multipart uploads that your credentials may see, newest first, with " +
          'their status: `pending`, `completed` or `failed`. An upload that is not completed within 7 days ' +
          'fails, and its parts are removed.',
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
        summary: 'Start a multipart upload',
        description:
          'Starts an upload in parts and returns its `uploadId`. Use it for large files: parts can be sent ' +
          'in parallel, and again one by one after a failure. If `totalSizeBytes` is given, it is checked ' +
          'when the upload is completed. An upload that is not completed within 7 days fails.',
        tags,
        params: BucketPath,
        body: shapes.NewMultipart,
        response: { 201: shapes.MultipartSession },
      },
      config: { access: 'bucket.use', idempotent: true, created: '/buckets/{bucketId}/multipart/{uploadId}' },
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
        summary: 'Get a multipart upload',
        description:
          'Returns an upload with the parts received so far, in the order of their numbers. Use it to find ' +
          'out what to send again after an interruption.',
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
        summary: 'List parts of an upload',
        description:
          'Returns the parts that have been received so far, with their numbers, entity tags and sizes.',
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
          summary: 'Upload a part',
          description:
            'Stores the request body as one part of a multipart upload. Part numbers run from 1 to 10,000, ' +
            'and gaps are allowed. A part that is sent again replaces the earlier one once it has arrived ' +
            'whole.',
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
        summary: 'Complete a multipart upload',
        description:
          'Joins the parts into an object, in the order of their numbers; without a body, all the parts ' +
          'there are. A wrong entity tag, order or total size returns 400 and leaves the upload pending. ' +
          'Completing an upload again returns 200 with the same object. No bytes are copied.',
        tags,
        params: shapes.UploadPath,
        body: shapes.Completion,
        response: { 200: AnyObject, 201: AnyObject },
      },
      config: { access: 'bucket.use', shape: 'object', idempotent: true, created: objectUrl },
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
        summary: 'Abort a multipart upload',
        description:
          'Ends an upload and removes its parts, which no longer count towards the quotas. A completed ' +
          'upload cannot be aborted (409).',
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
