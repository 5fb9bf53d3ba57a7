import { tagLists, unconditional, type WriteConditions } from '#platform/http/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { batchesByOrganization } from '../../batches.ts'
import type { NewBlob } from '../../blobs/blobs.ts'
import { authorize } from '../../buckets/authorize.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { namesObject, type Subject } from '../../policies/evaluate.ts'
import { orRefuse, refuseFor } from '../../refusals.ts'
import { headChanges, keyName, noteHeadChange } from '../heads.ts'
import type { ObjectRef } from '../key.ts'
import { auditPayload, type ObjectEvent } from '../objects.ts'
import type * as objects from '../store.ts'
import { findHead } from '../store.ts'
import * as store from './store.ts'

/** For statements of other modules that include a write. */
export { asParameters, type Changed, changedKeys, type Write, type WrittenRow } from './store.ts'

/** The caller, or the signer of the URL that is being used. */
export type Writer = Subject & { orgId: string } & Pick<Principal, 'grants'>

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
  /** While versioning is suspended: keep what was stored with versioning, and replace what was stored without. */
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

const writers = moduleState(({ db, signals }: Platform) =>
  batchesByOrganization(db, {
    exclusiveBy: ({ row }: store.Write) => keyName({ bucketId: row.bucket, key: row.key }),
    run: (q, orgId, writes) => store.writeObjects(q, orgId, writes, headChanges(signals)),
  }),
)

/**
 * Stores a content under a key. Every object is created and changed here, and so this is where the policy is finally
 * evaluated, now that everything is known that it may refer to. Undefined if the source has changed: the caller may look
 * for it again.
 */
export const writeObject = (ctx: Storage, write: ObjectWrite): Promise<Written | undefined> =>
  writeWith(ctx, write, (item) => writers(ctx)(write.bucket.orgId, item))

/** The same with a statement of the caller's that includes the write. */
export const writeWith = async (
  ctx: Storage,
  write: ObjectWrite,
  run: (item: store.Write) => Promise<store.WrittenRow>,
): Promise<Written | undefined> => {
  const { content_type: contentType, size_bytes: size } = write.content
  const target = { bucket: write.bucket, key: write.key, contentType, size }
  const { id, versionId, row, refusal } = await authorizedWrite(
    ctx,
    write.writer,
    target,
    async (expected) => {
      const item = describe(write, expected)
      const result = await orRefuse(run(item))
      return {
        id: result.previous_id ?? item.row.id,
        versionId: result.unversioned ? null : item.row.version,
        row: result,
        refusal: result.refusal,
        previousId: result.previous_id,
      }
    },
  )
  if (refusal === 'source_changed') return undefined
  refuseFor(refusal)
  if (row.previous_id) noteHeadChange(ctx, { bucketId: write.bucket.id, key: write.key })
  return { object: resultOf(write, id, row.created_at), created: !row.previous_id, versionId }
}

/** The object that a write will replace, if the policy was evaluated on it. */
export type Expected = { isExpected: boolean; expectedId: string | null }

/**
 * Runs the statement of a write once it is authorized. Where the policy may depend on the id of the object that is replaced,
 * the statement makes sure that it is the one on which the policy was evaluated; otherwise both are repeated.
 */
export const authorizedWrite = async <T extends { refusal: string | null; previousId: string | null }>(
  ctx: Storage,
  writer: Writer,
  target: { bucket: BucketFacts; key: string; contentType: string; size: number },
  run: (expected: Expected) => Promise<T>,
): Promise<T> => {
  const { bucket, key } = target
  const isExpected = namesObject(bucket.policy) || writer.grants !== undefined
  const found = isExpected ? await findHead(ctx.db.sql, { bucketId: bucket.id, key }) : undefined
  for (let expectedId = found?.id ?? null; ; ) {
    authorize(ctx, writer, 'object.write', { ...target, objectId: expectedId ?? undefined })
    const result = await run({ isExpected, expectedId })
    if (result.refusal !== 'object_changed') return result
    expectedId = result.previousId
  }
}

const describe = (
  { writer, bucket, key, content, received, source, event, ...write }: ObjectWrite,
  { isExpected, expectedId }: Expected,
): store.Write => {
  const { onlyIf, unless } = tagLists(write.conditions ?? unconditional)
  const ref = { bucketId: bucket.id, key }
  return {
    names: [ref, ...(source ? [source] : [])].map(keyName),
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
