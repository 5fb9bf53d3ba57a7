import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { writeConditions } from '#platform/http/conditional.ts'
import { Uuid } from '#platform/http/schema.ts'
import type { Module } from '#platform/http/service.ts'
import { who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import type { Storage } from '../context.ts'
import { BothForms, formOf } from '../dialect.ts'
import { deliver } from './download-routes.ts'
import { noteDownload } from './fast-downloads.ts'
import { keyInUrl } from './key.ts'
import { listObjects } from './listing.ts'
import { deleteObject, objectFor, purgeObject } from './objects.ts'
import * as shapes from './schema.ts'
import { listVersions } from './versions.ts'

const tags = ['Objects']
export const AnyObject = BothForms(shapes.StoredObject, shapes.StoredObjectR)

/** `/buckets/<id>/objects/<key>` */
export const keyOf = (req: FastifyRequest, suffix = '') => keyInUrl(req.originalUrl, 3, suffix)
export const bucketIdOf = (req: FastifyRequest) => (req.params as { bucketId: string }).bucketId

/** A key with slashes needs the wildcard; the other spelling of the same route is the one in the reference. */
export const keyPaths = [
  { url: '/buckets/:bucketId/objects/:objectKey', params: shapes.ObjectPath, hide: false },
  { url: '/buckets/:bucketId/objects/*', params: BucketPath, hide: true },
]

const DownloadQuery = Type.Object({
  versionId: Type.Optional(Uuid),
  download: Type.Optional(Type.Boolean({ description: 'false: to be shown in the browser' })),
})

export const objects: Module<Storage> = (app, ctx) => {
  app.get(
    '/buckets/:bucketId/objects',
    {
      schema: {
        operationId: 'listObjects',
        summary: 'Objects in the order of their keys',
        tags,
        params: BucketPath,
        querystring: shapes.ListQuery,
        response: { 200: BothForms(shapes.ObjectList, shapes.ObjectListR) },
      },
      config: {
        access: 'bucket.use',
        shape: 'objectList',
        onlyFormR: ['limit', 'offset', 'includeDeleted'],
      },
    },
    async (req, reply) => {
      const counted = formOf(req) === 'R'
      const defaultLimit = counted ? 100 : 1000
      const page = await listObjects(ctx, who(req), req.params.bucketId, req.query, { counted, defaultLimit })
      if (page.nextCursor) reply.header('x-next-cursor', page.nextCursor)
      return page as never
    },
  )

  app.get(
    '/buckets/:bucketId/versions',
    {
      schema: {
        operationId: 'listVersions',
        summary: 'All contents a key has had and still has, newest first',
        tags,
        params: BucketPath,
        querystring: Type.Object({ objectKey: Type.String({ minLength: 1, maxLength: 1024 }) }),
        response: { 200: BothForms(Type.Array(shapes.Version), shapes.VersionListR) },
      },
      config: { access: 'bucket.use', shape: 'versionList' },
    },
    (req) => listVersions(ctx, who(req), req.params.bucketId, req.query.objectKey),
  )

  for (const { url, params, hide } of keyPaths) {
    const config = { access: 'bucket.use', partOfWildcard: !hide }
    const download = {
      tags,
      params,
      hide,
      querystring: DownloadQuery,
      response: { 200: shapes.Bytes, 206: shapes.Bytes },
    }
    const send = async (req: FastifyRequest, reply: Parameters<typeof deliver>[2]) => {
      const { versionId } = req.query as { versionId?: string }
      const me = who(req)
      const found = await objectFor(ctx, me, bucketIdOf(req), keyOf(req), 'object.read', versionId)
      const answer = await deliver(ctx, req, reply, { ...found, userId: me.userId })
      if (Buffer.isBuffer(answer)) noteDownload(ctx, req, { bucketId: found.bucket.id, key: keyOf(req) })
      return answer
    }
    app.head(
      url,
      { schema: { ...download, operationId: 'headObject', summary: 'What a download would be' }, config },
      send as never,
    )
    app.get(
      url,
      {
        exposeHeadRoute: false,
        schema: { ...download, operationId: 'downloadObject', summary: 'Download an object' },
        config,
      },
      send as never,
    )

    app.delete(
      url,
      {
        schema: {
          operationId: 'deleteObject',
          summary: 'Delete an object, to be recovered or for good',
          description:
            '`If-Match` and `If-None-Match` are compared with the live object: 412 unless they hold, and nothing ' +
            'is deleted. Where there is nothing to delete it is 404 whatever they say.',
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
        config: { ...config, shape: 'objectOutcome' },
      },
      async (req) => {
        const place = [who(req), bucketIdOf(req), keyOf(req), writeConditions(req.headers)] as const
        const object = req.query.permanent
          ? await purgeObject(ctx, ...place)
          : await deleteObject(ctx, ...place)
        return { deleted: true, object }
      },
    )
  }
}
