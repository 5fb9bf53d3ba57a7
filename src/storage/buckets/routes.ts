import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BothForms } from '../dialect.ts'
import { usageRefusals } from '../refusals.ts'
import { createBucket, getBucket, listBuckets, updateBucket } from './buckets.ts'
import { AnyBucket, Bucket, BucketChange, BucketPath, BucketR, NewBucket } from './schema.ts'

const tags = ['Buckets']

export const buckets: Module = (app, ctx) => {
  app.get(
    '/buckets',
    {
      schema: {
        operationId: 'listBuckets',
        summary: 'List buckets',
        description:
          'Returns all buckets of the organization that your credentials may read, newest first. Every ' +
          'role may list buckets unless a policy denies it.',
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
        description:
          'Creates a bucket, private and with versioning unless the request says otherwise. Owners and ' +
          'admins may create buckets. Names are unique within the organization; a name that exists is ' +
          'refused with 409.',
        tags,
        body: NewBucket,
        response: { 201: AnyBucket },
      },
      config: { access: 'bucket.create', shape: 'bucket', idempotent: true, created: '/buckets/{id}' },
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
        summary: 'Get a bucket',
        description:
          'Returns a bucket with its number of live objects and their total size. The id of another ' +
          "organization's bucket returns 404.",
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
        summary: 'Update a bucket',
        description:
          'Changes the visibility, versioning or quota of a bucket; fields that are left out stay as they ' +
          "are. Owners and admins may do this unless the bucket's policy says otherwise. Turning " +
          'versioning off keeps the versions that exist.',
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
buckets.refusals = usageRefusals
