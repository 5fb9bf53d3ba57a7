import type { Readable } from 'node:stream'
import type { GetObjectCommandOutput, HeadObjectCommandOutput } from '@aws-sdk/client-s3'
import type { Address } from './address.ts'

/** An object of the source, as its list shows it. */
export type Listed = { key: string; size: number; etag: string; changedAt: Date }

export type Described = HeadObjectCommandOutput & { tags: { Key: string; Value: string }[] }

/** Bytes of an object: all, one of the parts that it was uploaded in, or a range. */
export type Piece = { part?: number; range?: { start: number; end: number } }

const silenceMs = 60_000

/** The SDK looks for credentials, and for the region of S3 itself, where the tools of AWS do. */
export const openSource = async ({ bucket: Bucket, prefix, endpoint, region }: Address) => {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...(endpoint && { endpoint, region: 'us-east-1', forcePathStyle: true }),
    ...(region && { region }),
    maxAttempts: 5,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // The copy is verified when it is stored. The SDK's own check would not tell us that a connection is lost.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 10_000, requestTimeout: silenceMs, socketTimeout: silenceMs },
  })

  const list = async function* (): AsyncGenerator<Listed> {
    const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix, EncodingType: 'url' })
    for await (const { Contents = [] } of pages)
      for (const { Key = '', Size = 0, ETag = '', LastModified = new Date(0) } of Contents)
        yield { key: decode(Key), size: Size, etag: ETag.replaceAll('"', ''), changedAt: LastModified }
  }

  const tagsOf = async (Key: string) => {
    try {
      const { TagSet = [] } = await client.send(new sdk.GetObjectTaggingCommand({ Bucket, Key }))
      return TagSet.map(({ Key: name = '', Value = '' }) => ({ Key: name, Value }))
    } catch (error) {
      // Some stores have no tags.
      if (statusOf(error) === 501 || statusOf(error) === 405) return []
      throw error
    }
  }

  const describe = async (Key: string): Promise<Described> => {
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }))
    return { ...head, tags: head.TagCount === 0 ? [] : await tagsOf(Key) }
  }

  /** How many parts an object was uploaded in; undefined if the store cannot tell. */
  const countParts = async (Key: string) =>
    (await client.send(new sdk.HeadObjectCommand({ Bucket, Key, PartNumber: 1 }))).PartsCount

  /** Fails if the object is no longer the one with this entity tag. */
  const read = async ({ key, etag }: Pick<Listed, 'key' | 'etag'>, { part, range }: Piece = {}) => {
    const found: GetObjectCommandOutput = await client.send(
      new sdk.GetObjectCommand({
        ...{ Bucket, Key: key, IfMatch: `"${etag}"` },
        ...(part === undefined ? {} : { PartNumber: part }),
        ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
      }),
    )
    return { body: found.Body as Readable, length: found.ContentLength ?? 0 }
  }

  const name = `${endpoint ?? 'aws'} ${Bucket}`
  return { name, list, describe, countParts, read, close: () => client.destroy() }
}

export type Source = Awaited<ReturnType<typeof openSource>>

/** Keys are asked for in this encoding, because XML cannot hold all of them. */
const decode = (key: string) => decodeURIComponent(key.replaceAll('+', '%20'))

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
