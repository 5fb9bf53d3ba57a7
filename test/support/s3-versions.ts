import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'

/** A new bucket with the few things that tests of versions do again and again. */
export const versionedBucket = async (s3: S3Client, status?: 'Enabled' | 'Suspended') => {
  const Bucket = `b-${crypto.randomUUID()}`
  await s3.send(new CreateBucketCommand({ Bucket }))
  const setStatus = (Status: 'Enabled' | 'Suspended') =>
    s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }))
  if (status) await setStatus(status)
  return {
    Bucket,
    enable: () => setStatus('Enabled'),
    suspend: () => setStatus('Suspended'),
    put: (Key: string, Body: string, more: object = {}) =>
      s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more })),
    remove: (Key: string, VersionId?: string, more: object = {}) =>
      s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId, ...more })),
    read: async (Key: string, VersionId?: string) => {
      const found = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }))
      return { text: await found.Body?.transformToString(), versionId: found.VersionId }
    },
    list: (more: object = {}) => s3.send(new ListObjectVersionsCommand({ Bucket, ...more })),
    /** The history of a key, newest first: ids of versions and `-id` of delete markers; a star is the latest. */
    history: async (key: string) => {
      const { Versions = [], DeleteMarkers = [] } = await s3.send(
        new ListObjectVersionsCommand({ Bucket, Prefix: key }),
      )
      const shown = (sign: string) => (entry: Pick<ObjectVersion, 'VersionId' | 'IsLatest'>) =>
        `${sign}${entry.VersionId}${entry.IsLatest ? '*' : ''}`
      return { versions: Versions.map(shown('')), markers: DeleteMarkers.map(shown('-')) }
    },
  }
}
