import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Storage } from '../../context.ts'
import type { VersionId } from '../../objects/objects.ts'
import { findEntry, lastMarker } from '../../objects/versions/history.ts'
import { refuse } from '../errors.ts'
import type { S3Request } from '../request.ts'
import { versionName } from './places.ts'

/** What a reader is told where there is no content: of a delete marker, that it is one. */
export const noObject = async (
  { ctx, request }: { ctx: Storage; request: Pick<S3Request, 'method'> },
  bucket: BucketFacts,
  key: string,
  versionId?: VersionId,
): Promise<never> => {
  const ref = { bucketId: bucket.id, key }
  if (versionId === undefined) {
    const marker = bucket.hasHadVersions ? await lastMarker(ctx, ref) : undefined
    const headers = marker && markerHeaders(marker.unversioned ? null : marker.id)
    return refuse('NoSuchKey', undefined, { fields: { Key: key }, ...(headers && { headers }) })
  }
  const fields = { Key: key, VersionId: versionName(versionId) }
  const entry = await findEntry(ctx, ref, versionId)
  if (!entry?.is_marker) return refuse('NoSuchVersion', undefined, { fields })
  const headers = {
    ...markerHeaders(versionId),
    'last-modified': new Date(entry.at).toUTCString(),
    allow: 'DELETE',
  }
  return refuse('MethodNotAllowed', undefined, {
    fields: { Method: request.method, ResourceType: 'DeleteMarker' },
    headers,
  })
}

export const markerHeaders = (versionId: VersionId) => ({
  'x-amz-delete-marker': 'true',
  'x-amz-version-id': versionName(versionId),
})
