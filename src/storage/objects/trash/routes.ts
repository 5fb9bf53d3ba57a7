import { linkToNext } from '#platform/http/contract/links.ts'
import { type Module, who } from '../../access.ts'
import { BucketPath } from '../../buckets/schema.ts'
import { Trash, TrashQuery } from './schema.ts'
import { listTrash } from './trash.ts'

export const trash: Module = (app, ctx) => {
  app.get(
    '/buckets/:bucketId/trash',
    {
      schema: {
        operationId: 'listTrash',
        summary: 'List deleted objects',
        description:
          'Returns what was deleted in a bucket and has not gone for good yet, the last deletion first, with the ' +
          'time at which it will. `POST …/recover` brings an object back; `DELETE …?permanent=true` removes all ' +
          'of its key for good.',
        tags: ['Objects'],
        params: BucketPath,
        querystring: TrashQuery,
        response: { 200: Trash },
      },
      config: { access: 'bucket.use' },
    },
    async (req, reply) => {
      const page = await listTrash(ctx, who(req), req.params.bucketId, req.query)
      if (page.next_cursor) reply.header('link', linkToNext(req, { cursor: page.next_cursor }))
      return page
    },
  )
}
