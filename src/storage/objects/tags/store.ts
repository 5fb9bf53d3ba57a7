import type { Sql } from '#platform/db/database.ts'
import type { Tags } from '../../tags/tags.ts'

/** Changes the tags of an object whose key is locked. */
export const updateTags = (q: Sql, id: string, tags: Tags, now: Date) => q`
  with tagged as (
    update storage.objects set tags = ${q.json(tags)}, updated_at = ${now} where id = ${id} returning *
  )
  select storage.add_object_event('object.updated', tagged, '{"reason": "tagged"}') from tagged`

/** The same for an earlier content, or that of a deleted object, which is no event of the object. */
export const updateTagsOfVersion = (q: Sql, id: string, versionId: string, tags: Tags) => q`
  with earlier as (
    update storage.versions set tags = ${q.json(tags)} where id = ${versionId} and object_id = ${id}
  )
  update storage.objects set tags = ${q.json(tags)} where id = ${id} and version_id = ${versionId}`
