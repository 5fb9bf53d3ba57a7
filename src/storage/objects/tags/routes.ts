import { Named, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../../access.ts'
import { BucketPath } from '../../buckets/schema.ts'
import { checkKey } from '../key.ts'
import type { ObjectHead } from '../objects.ts'
import { checkObjectTags, getTagged, replaceTags } from './tags.ts'

const documented = { tags: ['Objects'], params: BucketPath }
const config = { access: 'bucket.use' } as const

const Tags = Type.Record(Type.String(), Type.String(), {
  description: 'At most 10. Names have 1 to 128 characters, values at most 256.',
})
const NewTags = Named('NewTags', { tags: Tags })
const ObjectTags = Named('ObjectTags', {
  tags: Tags,
  versionId: Uuid,
  requestId: Type.Optional(Type.String()),
})

const Query = Type.Object({
  objectKey: Type.String({ minLength: 1, maxLength: 1024 }),
  versionId: Type.Optional(Uuid),
})
type Asked = { params: { bucketId: string }; query: Type.Static<typeof Query> }

const contentOf = ({ params: { bucketId }, query: { objectKey, versionId } }: Asked) => ({
  bucketId,
  key: checkKey(objectKey),
  versionId,
})

const shown = ({ tags, version_id: versionId }: ObjectHead) => ({
  tags: Object.fromEntries(tags),
  versionId,
})

/** Keys have slashes, so the object is named in the query, as it is for its versions. */
export const objectTags: Module = (app, ctx) => {
  app.get(
    '/buckets/:bucketId/object-tags',
    {
      schema: {
        ...documented,
        operationId: 'getObjectTags',
        summary: 'Get the tags of an object',
        description:
          'Returns the tags of an object, or with `versionId` those of one of its versions, and the id of ' +
          'the version that has them.',
        querystring: Query,
        response: { 200: ObjectTags },
      },
      config,
    },
    async (req) => shown(await getTagged(ctx, who(req), contentOf(req))),
  )

  app.put(
    '/buckets/:bucketId/object-tags',
    {
      schema: {
        ...documented,
        operationId: 'replaceObjectTags',
        summary: 'Replace the tags of an object',
        description:
          'Replaces all tags of an object, or with `versionId` those of one of its versions. The content ' +
          'stays the same and no version is made. An object has at most 10 tags; names have 1 to 128 ' +
          'characters, values at most 256: letters, digits, spaces and `_ . : / = + - @`. This needs the ' +
          '`object.write` permission.',
        querystring: Query,
        body: NewTags,
        response: { 200: ObjectTags },
      },
      config,
    },
    async (req) => {
      const tags = checkObjectTags(Object.entries(req.body.tags))
      return shown(await replaceTags(ctx, who(req), contentOf(req), tags))
    },
  )

  app.delete(
    '/buckets/:bucketId/object-tags',
    {
      schema: {
        ...documented,
        operationId: 'deleteObjectTags',
        summary: 'Delete the tags of an object',
        description:
          'Removes all tags of an object, or with `versionId` those of one of its versions. Succeeds if ' +
          'there are none.',
        querystring: Query,
        response: { 200: ObjectTags },
      },
      config,
    },
    async (req) => shown(await replaceTags(ctx, who(req), contentOf(req), [])),
  )
}
