import { Type } from 'typebox'
import type { Module } from '#platform/http/service.ts'
import { who } from '../access.ts'
import type { Storage } from '../context.ts'
import { BothForms } from '../dialect.ts'
import { createBucket, listBuckets } from './buckets.ts'
import { Bucket, BucketR, NewBucket } from './schema.ts'

const tags = ['Buckets']
const AnyBucket = BothForms(Bucket, BucketR)

export const buckets: Module<Storage> = (app, ctx) => {
  app.get(
    '/buckets',
    {
      schema: {
        operationId: 'listBuckets',
        summary: 'All buckets, newest first',
        tags,
        response: { 200: Type.Array(AnyBucket) },
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
}
