import type { StoredEvent } from '#events/events.ts'
import type { Storage } from '../context.ts'
import { rendered } from '../dialect.ts'
import { type EventReader, mayAll } from './rights.ts'

// Of each kind of event the database function that writes it says what its `data` is.
type Place = { bucket_id: string; object_key: string }
type StoredObject = Place & { id: string; size_bytes: number; content_type: string; previous?: Place }
type StoredKey = { user_id: string }
type StoredBucket = { id: string; policy: unknown }
type StoredPolicy = { bucket_id: string }

const reading = ['object.read', 'object.list'] as const

/** Where an object came from is told only to those who may read there, too. */
const objectFor = async (ctx: Storage, reader: EventReader, { previous, ...object }: StoredObject) => {
  const { id: objectId, size_bytes: size, content_type: contentType } = object
  const mayRead = ({ bucket_id: bucketId, object_key: key }: Place) =>
    mayAll(ctx, reader, reading, { bucketId, key, objectId, size, contentType })
  if (!(await mayRead(object))) return undefined
  return rendered('objectEvent', reader.form, {
    ...object,
    ...(previous && (await mayRead(previous)) ? { previous } : {}),
  })
}

const bucketFor = async (ctx: Storage, reader: EventReader, { policy: _, ...bucket }: StoredBucket) =>
  (await mayAll(ctx, reader, ['bucket.read'], { bucketId: bucket.id }))
    ? rendered('bucket', reader.form, bucket)
    : undefined

const policyFor = async (ctx: Storage, reader: EventReader, policy: StoredPolicy) =>
  (await mayAll(ctx, reader, ['policy.read'], { bucketId: policy.bucket_id }))
    ? rendered('policyEvent', reader.form, policy)
    : undefined

/** Members see their own keys only. */
const keyFor = ({ subjects }: EventReader, { user_id, ...key }: StoredKey) =>
  subjects.every(({ role, userId }) => role !== 'member' || userId === user_id) ? key : undefined

/** What a reader gets of an event, in their dialect; nothing if policy or role do not let them see it now. */
export const present = async (ctx: Storage, reader: EventReader, { type, data: text }: StoredEvent) => {
  const data = JSON.parse(text)
  if (type.startsWith('object.')) return objectFor(ctx, reader, data)
  if (type.startsWith('bucket.')) return bucketFor(ctx, reader, data)
  if (type.startsWith('policy.')) return policyFor(ctx, reader, data)
  if (type.startsWith('api_key.')) return keyFor(reader, data)
  if (type === 'quota.warning') return rendered('quotaWarning', reader.form, data)
  return data
}
