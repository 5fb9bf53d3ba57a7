import { AppError } from '#platform/errors.ts'
import { type WriteConditions, writeConditions } from '#platform/http/response/conditional.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import { deleteKey, deleteKeys } from '../../objects/delete/delete.ts'
import type { VersionId } from '../../objects/objects.ts'
import { removeEntries } from '../../objects/versions/history.ts'
import { asS3Error } from '../error-document.ts'
import { refuse } from '../errors.ts'
import { payloadOf, readVouchedDocument } from '../payload.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import { type Call, plainHeaders } from '../request.ts'
import { childrenOf, type Element, readXml, requiredText, textOf } from '../xml/read.ts'
import { markerHeaders } from './missing.ts'
import { anyKey, bucketOf, versionHeader, versionIn, versionName, versionOf } from './places.ts'

const isMissing = (error: unknown) => error instanceof AppError && error.status === 404

const isTagged = ({ ifMatch }: WriteConditions) => ifMatch !== undefined

/** Deleting what is not there succeeds; where versions are kept, it even adds a marker. */
export const deleteObject = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const versionId = versionOf(request, bucket)
  const conditions = writeConditions(plainHeaders(request))
  const ref = { bucketId: bucket.id, key: anyKey(request.key) }
  if (versionId !== undefined) return deleteVersion(call, bucket, { key: ref.key, versionId, conditions })
  try {
    const { marker } = await deleteKey(ctx, me, ref, { conditions, marks: true })
    return emptyReply(204, marker && markerHeaders(marker.versionId))
  } catch (error) {
    if (!isMissing(error)) throw error
    if (isTagged(conditions)) refuse('PreconditionFailed', undefined, { fields: { Condition: 'If-Match' } })
    return emptyReply(204)
  }
}

const deleteVersion = async (
  { ctx, me }: Call,
  bucket: BucketFacts,
  removal: { key: string; versionId: VersionId; conditions: WriteConditions },
) => {
  const [removed] = await removeEntries(ctx, me, bucket.id, [removal])
  if (removed?.error) throw removed.error
  const { versionId } = removal
  return emptyReply(204, removed?.isMarker ? markerHeaders(versionId) : versionHeader(bucket, versionId))
}

const maxKeys = 1000

/** What a request wants to be deleted: the object of a key, or with a version id that version. */
type Entry = { key: string; versionId: VersionId | undefined; conditions: WriteConditions }

/** What became of an entry, in the words of S3. */
type Outcome =
  | { error: AppError }
  | { VersionId?: string; DeleteMarker?: boolean; DeleteMarkerVersionId?: string }

const entryOf = (element: Element, bucket: BucketFacts): Entry => ({
  key: requiredText(element, 'Key'),
  versionId: versionIn(textOf(element, 'VersionId'), bucket),
  conditions: { ifMatch: textOf(element, 'ETag'), ifNoneMatch: undefined },
})

const deletePlain = async ({ ctx, me }: Call, bucket: BucketFacts, entries: Entry[]): Promise<Outcome[]> => {
  const deletions = entries.map(({ key, conditions }) => ({ key, conditions, marks: true }))
  const { failures, markers } = await deleteKeys(ctx, me, bucket.id, deletions)
  return entries.map(({ key, conditions }) => {
    const error = failures.get(key)
    if (error && (!isMissing(error) || isTagged(conditions)))
      return { error: isMissing(error) ? new AppError(412, 'The object does not exist') : error }
    const marker = markers.get(key)
    return marker ? { DeleteMarker: true, DeleteMarkerVersionId: versionName(marker.versionId) } : {}
  })
}

type VersionEntry = Entry & { versionId: VersionId }

const deleteVersions = async (
  { ctx, me }: Call,
  bucket: BucketFacts,
  entries: VersionEntry[],
): Promise<Outcome[]> => {
  const removed = await removeEntries(ctx, me, bucket.id, entries)
  return removed.map(({ error, isMarker }, at) => {
    if (error) return { error }
    const VersionId = versionName((entries[at] as VersionEntry).versionId)
    return isMarker ? { VersionId, DeleteMarker: true, DeleteMarkerVersionId: VersionId } : { VersionId }
  })
}

export const deleteObjects = async (call: Call) => {
  const bucket = await bucketOf(call)
  const document = readXml(await readVouchedDocument(payloadOf(call)), 'Delete')
  const entries = childrenOf(document, 'Object').map((element) => entryOf(element, bucket))
  if (entries.length === 0 || entries.length > maxKeys)
    refuse('MalformedXML', `A list must have 1 to ${maxKeys} keys`)
  const isQuiet = textOf(document, 'Quiet') === 'true'
  const isOfVersion = (entry: Entry): entry is VersionEntry => entry.versionId !== undefined
  const plain = entries.filter((entry) => !isOfVersion(entry))
  const versions = entries.filter(isOfVersion)
  const outcomes = new Map<Entry, Outcome>()
  const note = (some: Entry[], results: Outcome[]) => {
    for (const [at, result] of results.entries()) outcomes.set(some[at] as Entry, result)
  }
  if (plain.length > 0) note(plain, await deletePlain(call, bucket, plain))
  if (versions.length > 0) note(versions, await deleteVersions(call, bucket, versions))
  const all = entries.map((entry) => ({ entry, outcome: outcomes.get(entry) ?? {} }))
  return xmlReply('DeleteResult', {
    Deleted: all.flatMap(({ entry, outcome }) =>
      isQuiet || 'error' in outcome ? [] : { Key: entry.key, ...outcome },
    ),
    Error: all.flatMap(({ entry, outcome }) => {
      if (!('error' in outcome)) return []
      const { code, message } = asS3Error(outcome.error)
      const VersionId = entry.versionId === undefined ? undefined : versionName(entry.versionId)
      return { Key: entry.key, VersionId, Code: code, Message: message }
    }),
  })
}
