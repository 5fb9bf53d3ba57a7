import type { FastifyReply, FastifyRequest } from 'fastify'
import { linkToNext } from '#platform/http/contract/links.ts'
import { downloadHeaders } from '#platform/http/contract/openapi/headers.ts'
import { sendBytes } from '#platform/http/response/bytes.ts'
import { writeConditions } from '#platform/http/response/conditional.ts'
import { notModified, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { BothForms, dialectOf } from '../dialect.ts'
import { noVersion } from '../refusals.ts'
import { deleteObject } from './delete/delete.ts'
import { purgeObject } from './delete/purge.ts'
import { listObjects } from './list/list.ts'
import { authorizedObject } from './objects.ts'
import { keyPaths, refOf } from './paths.ts'
import { deliver } from './read/delivery.ts'
import * as shapes from './schema.ts'
import { deleteVersion } from './versions/delete-version.ts'
import { listVersions } from './versions/restore.ts'

const tags = ['Objects']

const DownloadQuery = Type.Object({
  versionId: Type.Optional(Uuid),
  download: Type.Optional(Type.Boolean({ description: 'false: to be shown in the browser' })),
})
type DownloadQuery = Type.Static<typeof DownloadQuery>

export const objects: Module = (app, ctx) => {
  app.get(
    '/buckets/:bucketId/objects',
    {
      schema: {
        operationId: 'listObjects',
        summary: 'List objects',
        description:
          'Returns the objects of a bucket in the order of their keys. `prefix` and `search` filter by ' +
          'key; `delimiter` groups deeper keys into folders. Form S returns up to 1000 objects unless ' +
          '`limit` is given, Form R 100. For large buckets, page with `cursor`: each page gives the next ' +
          'one in `X-Next-Cursor`.',
        tags,
        params: BucketPath,
        querystring: shapes.ListQuery,
        response: { 200: BothForms(shapes.ObjectList, shapes.ObjectListR) },
      },
      config: {
        access: 'bucket.use',
        shape: 'objectList',
        onlyFormR: ['limit', 'offset', 'includeDeleted', 'count'],
        sends: ['X-Next-Cursor'],
      },
    },
    async (req, reply) => {
      const isFormR = dialectOf(req) === 'R'
      const { count = true, ...query } = req.query
      const page = await listObjects(ctx, who(req), req.params.bucketId, {
        ...query,
        limit: query.limit ?? (isFormR ? 100 : 1000),
        counted: isFormR && count,
      })
      if (page.nextCursor)
        reply
          .header('x-next-cursor', page.nextCursor)
          .header('link', linkToNext(req, { cursor: page.nextCursor, offset: null }))
      return page as never
    },
  )

  app.get(
    '/buckets/:bucketId/versions',
    {
      schema: {
        operationId: 'listVersions',
        summary: 'List versions of an object',
        description:
          'Returns every content that a key has had and still has, newest first. Overwriting keeps the ' +
          'earlier content as a version while the bucket has versioning enabled. Old versions are purged ' +
          'after 30 days by default.',
        tags,
        params: BucketPath,
        querystring: Type.Object({ objectKey: Type.String({ minLength: 1, maxLength: 1024 }) }),
        response: { 200: BothForms(Type.Array(shapes.Version), shapes.VersionListR) },
      },
      config: { access: 'bucket.use', shape: 'versionList' },
    },
    (req) => listVersions(ctx, who(req), { bucketId: req.params.bucketId, key: req.query.objectKey }),
  )

  app.delete(
    '/buckets/:bucketId/versions',
    {
      schema: {
        operationId: 'deleteVersion',
        summary: 'Delete a version of an object',
        description:
          'Removes one content of a key for good. If it is the current one, the content before it becomes ' +
          'the current one. This needs the `object.purge` permission (owners and admins).',
        tags,
        params: BucketPath,
        querystring: Type.Object({
          objectKey: Type.String({ minLength: 1, maxLength: 1024 }),
          versionId: Uuid,
        }),
        response: { 200: Type.Object({ deleted: Type.Boolean(), requestId: Type.Optional(Type.String()) }) },
      },
      config: { access: 'bucket.use', refuses: [412] },
    },
    async (req) => {
      const { objectKey: key, versionId } = req.query
      await deleteVersion(ctx, who(req), { bucketId: req.params.bucketId, key, versionId })
      return { deleted: true }
    },
  )

  for (const { url, params, hide } of keyPaths) {
    const config = { access: 'bucket.use', partOfWildcard: !hide } as const
    const download = {
      tags,
      params,
      hide,
      querystring: DownloadQuery,
      response: { 200: shapes.Bytes, 206: shapes.Bytes, 304: notModified },
    }
    const send = async (req: FastifyRequest, reply: FastifyReply) => {
      const { versionId } = req.query as DownloadQuery
      const me = who(req)
      const found = await authorizedObject(ctx, me, 'object.read', { ...refOf(req), versionId })
      if (versionId !== undefined && !found.object) noVersion()
      const response = await deliver(ctx, req, { ...found, userId: me.userId })
      return sendBytes(req, reply, response)
    }
    app.head(
      url,
      {
        schema: { ...download, operationId: 'headObject', summary: 'What a download would be' },
        config: { ...config, ...downloadHeaders },
      },
      send as never,
    )
    app.get(
      url,
      {
        exposeHeadRoute: false,
        schema: {
          ...download,
          operationId: 'downloadObject',
          summary: 'Download an object',
          description:
            'Returns the bytes of an object with its `Content-Type`, its `ETag`, and its metadata as ' +
            '`x-meta-*` headers. Ranges and conditional requests are supported. `versionId` selects an ' +
            'earlier version; `download=false` shows the content in the browser instead of saving it. The ' +
            'bytes sent count towards the monthly bandwidth; over its quota, downloads return 403.',
        },
        config: { ...config, ...downloadHeaders },
      },
      send as never,
    )

    app.delete(
      url,
      {
        schema: {
          operationId: 'deleteObject',
          summary: 'Delete an object',
          description:
            'Marks an object as deleted; it can be recovered for 30 days by default. With `permanent=true` ' +
            'it is purged at once, together with its versions, which needs the `object.purge` permission ' +
            '(owners and admins). `If-Match` and `If-None-Match` are compared with the live object: unless ' +
            'they hold, the response is 412 and nothing is deleted.',
          tags,
          params,
          hide,
          querystring: Type.Object({
            permanent: Type.Optional(
              Type.Boolean({
                description: 'true: for good, with its versions and whatever was deleted before',
              }),
            ),
          }),
          response: { 200: BothForms(shapes.Deleted, shapes.DeletedR) },
        },
        config: { ...config, shape: 'objectOutcome', reads: ['If-Match', 'If-None-Match'], refuses: [412] },
      },
      async (req) => {
        const remove = req.query.permanent ? purgeObject : deleteObject
        const object = await remove(ctx, who(req), refOf(req), writeConditions(req.headers))
        return { deleted: true, object }
      },
    )
  }
}
