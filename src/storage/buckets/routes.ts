import { Type } from 'typebox'
import { type Module, who } from '../access.ts'
import { BothForms } from '../dialect.ts'
import { createBucket, getBucket, listBuckets, updateBucket } from './buckets.ts'
import { AnyBucket, Bucket, BucketChange, BucketPath, BucketR, NewBucket } from './schema.ts'

const tags = ['Buckets']

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
}
