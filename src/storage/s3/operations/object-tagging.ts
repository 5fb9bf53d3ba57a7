import { AppError } from '#platform/errors.ts'
import { checkObjectTags, getTagged, replaceTags } from '../../objects/tags/tags.ts'
import type { Tags } from '../../tags/tags.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import type { Call } from '../request.ts'
import { tagSet, tagsInDocument } from '../tagging.ts'
import { noObject } from './missing.ts'
import { anyKey, bucketOf, versionHeader, versionIdOf, versionOf } from './places.ts'

const contentOf = async (call: Call) => {
  const bucket = await bucketOf(call)
  const key = anyKey(call.request.key)
  return { bucket, content: { bucketId: bucket.id, key, versionId: versionOf(call.request, bucket) } }
}

/** A delete marker is told from a content that is not there. */
const orNoObject = async <T>(
  call: Call,
  { bucket, content }: Awaited<ReturnType<typeof contentOf>>,
  work: Promise<T>,
): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) throw error
    return noObject(call, bucket, content.key, content.versionId)
  }
}

export const getObjectTagging = async (call: Call) => {
  const found = await contentOf(call)
  const { bucket, content } = found
  const tagged = await orNoObject(call, found, getTagged(call.ctx, call.me, content))
  return xmlReply('Tagging', tagSet(tagged.tags), versionHeader(bucket, versionIdOf(tagged)))
}

const replaced = async (call: Call, status: 200 | 204, tags: Tags) => {
  const found = await contentOf(call)
  const { bucket, content } = found
  const tagged = await orNoObject(call, found, replaceTags(call.ctx, call.me, content, tags))
  return emptyReply(status, versionHeader(bucket, versionIdOf(tagged)))
}

export const putObjectTagging = async (call: Call) =>
  replaced(call, 200, tagsInDocument(await readDocument(payloadOf(call)), checkObjectTags))

export const deleteObjectTagging = (call: Call) => replaced(call, 204, [])
