import { Type } from 'typebox'
import { type Module, who } from '../access.ts'
import { BothForms } from '../dialect.ts'
import { createBucket, deleteBucket, getBucket, listBuckets, updateBucket } from './buckets.ts'
import { Bucket, BucketChange, BucketPath, BucketR, NewBucket } from './schema.ts'

const tags = ['Buckets']
export const AnyBucket = BothForms(Bucket, BucketR)

export const buckets: Module = (app, ctx) => {
  app.get(
    '/buckets',
    {
      schema: {
        operationId: 'listBuckets',
        summary: 'All buckets, newest first',
        tags,
        response: { 200: BothForms(Type.Array(Bucket), Type.Array(BucketR)) },
      },
      config: { access: 'bucket.list', shape: 'bucketList' },
    },
    (req) => listBuckets(ctx, who(req)),
  )

  app.post(
    '/buckets',
    {
      schema: {
        operationId: 'createBucket',
        summary: 'Create a bucket',
        tags,
        body: NewBucket,
        response: { 201: AnyBucket },
      },
      config: { access: 'bucket.create', shape: 'bucket', idempotent: true },
    },
    async (req, reply) => {
      reply.code(201)
      return createBucket(ctx, who(req), req.body)
    },
  )

  app.get(
    '/buckets/:bucketId',
    {
      schema: {
        operationId: 'getBucket',
        summary: 'One bucket',
        tags,
        params: BucketPath,
        response: { 200: AnyBucket },
      },
      config: { access: 'bucket.use', shape: 'bucket' },
    },
    (req) => getBucket(ctx, who(req), req.params.bucketId),
  )

  app.patch(
    '/buckets/:bucketId',
    {
      schema: {
        operationId: 'updateBucket',
        summary: 'Change visibility, versioning or quota',
        tags,
        params: BucketPath,
        body: BucketChange,
        response: { 200: AnyBucket },
      },
      config: { access: 'bucket.use', shape: 'bucket' },
    },
    (req) => updateBucket(ctx, who(req), req.params.bucketId, req.body),
  )

  app.delete(
    '/buckets/:bucketId',
    {
      schema: {
        operationId: 'deleteBucket',
        summary: 'Delete a bucket without live objects',
        tags,
        params: BucketPath,
        response: {
          200: Type.Object({ deleted: Type.Boolean(), requestId: Type.Optional(Type.String()) }),
        },
      },
      config: { access: 'bucket.use' },
    },
    async (req) => {
      await deleteBucket(ctx, who(req), req.params.bucketId)
      return { deleted: true }
    },
  )
}
