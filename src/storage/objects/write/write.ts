import { tagLists, unconditional, type WriteConditions } from '#platform/http/response/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { discardUncommitted, type NewBlob } from '../../blobs/blobs.ts'
import { authorize } from '../../buckets/authorize.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { namesObject, type Subject } from '../../policies/evaluate.ts'
import { refuseFor } from '../../refusals.ts'
import type { Tags } from '../../tags/tags.ts'
import { keyName, noteHeadChange } from '../heads.ts'
import type { ObjectRef } from '../key.ts'
import { auditPayload, type ObjectEvent } from '../objects.ts'
import type * as objects from '../store.ts'
import { findHead } from '../store.ts'
import { batchesByOrganization } from './batch-writer.ts'
import * as store from './store.ts'

/** For statements of other modules that include a write. */
export { asParameters, type Write, type WrittenRow } from './store.ts'

/** The caller, or the signer of the URL that is being used. */
export type Writer = Subject & { orgId: string } & Pick<Principal, 'grants'>

/** What a client asks to be stored, and under which conditions. */
export type Upload = {
  bucket: BucketFacts
  key: string
  contentType: string
  metadata: objects.Metadata
  /** To be sent with every download. */
  kept?: objects.KeptHeaders
  tags?: Tags
  conditions: WriteConditions
  /** While versioning is suspended: keep what was stored with versioning, and replace what was stored without. */
  keepsVersions?: boolean
}

/** A content that is to be shared: the current one of a key, or with `isVersion` any of its versions. */
type Source = ObjectRef & { id: string; versionId: string; isVersion: boolean }

export type ObjectWrite = {
  writer: Writer
  bucket: BucketFacts
  key: string
  content: objects.Content
  /** The blob, if it was just received. */
  received?: NewBlob
  /** Where the content comes from, if it is shared. */
  source?: Source
  /** What becomes the content: an upload, and the bytes of its parts. */
  freed?: { bytes: number; uploads: number }
  conditions?: WriteConditions | undefined
  /** Keep the previous content as a version even if the bucket has no versioning. */
  keepPrevious?: boolean
  keepsVersions?: boolean | undefined
  /** How the audit log describes the write. */
  event: ObjectEvent
}

export type Written = {
  object: objects.ObjectRow
  created: boolean
  /** Of the new content. */
  versionId: objects.VersionId
}

const writers = moduleState(({ db }: Platform) =>
  batchesByOrganization(db, {
    exclusiveBy: ({ name }: store.Write) => name,
    run: store.writeObjects,
  }),
)

/** Makes received bytes an object. If that is refused, the bytes are removed. */
export const storeUpload = async (
  ctx: Storage,
  writer: Writer,
  { bucket, key, conditions, keepsVersions, ...upload }: Upload,
  { blob, checksum = null }: { blob: NewBlob; checksum?: objects.Checksum | null },
) => {
  const content = {
    content_type: upload.contentType,
    size_bytes: blob.size,
    etag: blob.md5.toString('hex'),
    metadata: upload.metadata,
    headers: upload.kept ?? {},
    tags: upload.tags ?? [],
    checksum,
    blobs: [blob.id],
  }
  const event = { action: 'object.uploaded', now: ctx.clock.now() }
  const write = { writer, bucket, key, content, received: blob, conditions, keepsVersions, event }
  try {
    return (await writeObject(ctx, write)) as Written // there is no source that could have changed
  } catch (error) {
    await discardUncommitted(ctx, blob, error)
    throw error
  }
}

/** Stores a content under a key. Undefined if the source has changed: the caller may look for it again. */
export const writeObject = (ctx: Storage, write: ObjectWrite): Promise<Written | undefined> =>
  writeWith(ctx, write, (item) => writers(ctx)(write.bucket.orgId, item))

/**
 * The same with a statement of the caller's that includes the write. Every object is created and changed here, and so this
 * is where the policy is finally evaluated, now that everything is known that it may refer to. Where it may depend on the
 * id of the object that is replaced, the statement makes sure that it is the one on which the policy was evaluated;
 * otherwise both are repeated.
 */
export const writeWith = async (
  ctx: Storage,
  write: ObjectWrite,
  run: (item: store.Write) => Promise<store.WrittenRow>,
): Promise<Written | undefined> => {
  const { writer, bucket, key, content } = write
  const target = { bucket, key, contentType: content.content_type, size: content.size_bytes }
  const expected = await expectedAt(ctx, writer, target)
  for (;;) {
    authorize(ctx, writer, 'object.write', { ...target, objectId: expected.id ?? undefined })
    const item = rowOf(write, expected)
    const { refusal, previous_id, created_at, unversioned } = await ctx.orRefuse(run(item))
    if (refusal === 'object_changed') expected.id = previous_id
    else if (refusal === 'source_changed') return undefined
    else {
      refuseFor(refusal)
      if (previous_id) noteHeadChange(ctx, { bucketId: bucket.id, key })
      const object = resultOf(write, previous_id ?? item.row.id, created_at)
      return { object, created: !previous_id, versionId: unversioned ? null : item.row.version }
    }
  }
}

/** The object that a write will replace, if the policy may depend on which one that is. */
type Expected = { isExpected: boolean; id: string | null }

export const expectedAt = async (
  ctx: Storage,
  { grants }: Pick<Writer, 'grants'>,
  { bucket, key }: { bucket: BucketFacts; key: string },
): Promise<Expected> => {
  const isExpected = namesObject(bucket.policy) || grants !== undefined
  const found = isExpected ? await findHead(ctx.db.sql, { bucketId: bucket.id, key }) : undefined
  return { isExpected, id: found?.id ?? null }
}

/** The row to be written. */
const rowOf = (
  { writer, bucket, key, content, received, source, event, ...write }: ObjectWrite,
  { isExpected, id: expectedId }: Expected,
): store.Write => {
  const { onlyIf, unless } = tagLists(write.conditions ?? unconditional)
  const ref = { bucketId: bucket.id, key }
  return {
    name: keyName(ref),
    source: source ? keyName(source) : null,
    bytes: received?.data ?? null,
    row: {
      now: event.now,
      bucket: bucket.id,
      key,
      id: uuidv7(),
      version: uuidv7(),
      type: content.content_type,
      size: content.size_bytes,
      etag: content.etag,
      metadata: content.metadata,
      headers: content.headers,
      tags: content.tags,
      checksum: content.checksum,
      blobs: content.blobs,
      keep: write.keepPrevious ?? false,
      keep_versions: write.keepsVersions ?? false,
      freed: write.freed?.bytes ?? 0,
      uploads: write.freed?.uploads ?? 0,
      only_if: onlyIf,
      unless,
      is_expected: isExpected,
      expected_id: expectedId,
      ...(received && {
        md5: received.md5.toString('hex'),
        piece_sums: received.pieceSums?.toString('hex') ?? null,
      }),
      ...(source && {
        source_id: source.id,
        source_version: source.versionId,
        source_bucket: source.bucketId,
        source_key: source.key,
        source_is_version: source.isVersion,
      }),
      audit_id: uuidv7(),
      action: event.action,
      reason: reasonOf(event.action, write.freed !== undefined),
      actor: writer.userId,
      ip: writer.ip,
      payload: auditPayload({ ...ref, size: content.size_bytes }, event),
    },
  }
}

const reasonOf = (action: string, isOfParts: boolean) => {
  if (action === 'object.restored') return 'restored'
  if (action === 'object.copied') return 'copy'
  return isOfParts ? 'multipart' : 'upload'
}

/** The object as it is now; the database does not have to be asked. */
const resultOf = (
  { bucket, key, content, event }: ObjectWrite,
  id: string,
  createdAt: string | null,
): objects.ObjectRow => {
  const { content_type, size_bytes, etag, metadata } = content
  const time = event.now.toISOString()
  return {
    id,
    bucket_id: bucket.id,
    object_key: key,
    content_type,
    size_bytes,
    etag,
    metadata,
    is_deleted: false,
    created_at: createdAt ?? time,
    updated_at: time,
  }
}
