import type { Readable } from 'node:stream'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { describeUpload, interruptedUploads, nameSource, type PartRow } from '../../multipart/multipart.ts'
import { completeMultipartUpload } from '../operations/complete-upload.ts'
import * as multipart from '../operations/multipart.ts'
import { putObject } from '../operations/write-object.ts'
import type { Call, Reply } from '../request.ts'
import { unsignedPayload } from '../signature/payload-hash.ts'

type Request = {
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Readable | null
}

type OpenUpload = { uploadId: string; parts: readonly Pick<PartRow, 'partNumber' | 'etag' | 'sizeBytes'>[] }

/** Nothing is signed where nothing is sent. */
const signer = {
  key: Buffer.alloc(0),
  ...{ date: '', scope: '', signature: '' },
  payloadHash: unsignedPayload,
}

const operations = {
  putObject,
  createUpload: multipart.createMultipartUpload,
  uploadPart: multipart.uploadPart,
  completeUpload: completeMultipartUpload,
  abortUpload: multipart.abortMultipartUpload,
}

/** Calls the operations of the S3 endpoint as a request would, so that the same rules hold. */
export const openTarget = (ctx: Storage, me: Principal, bucket: BucketFacts) => {
  const call = (
    operation: keyof typeof operations,
    { key, query = {}, headers = {}, body = null }: Request,
  ): Promise<Reply> => {
    const request: Call['request'] = {
      ...{ id: 'import', ip: me.ip, method: 'PUT', path: '/', query: '', isVirtualHost: false },
      parameters: Object.entries(query),
      headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
      bucket: bucket.name,
      key,
    }
    return operations[operation]({ ctx, me, request, signer, region: bucket.region, body })
  }

  /** Begins to copy a source in parts, or finds the upload of a run that was interrupted, and its parts. */
  const openUpload = async (
    key: string,
    source: string,
    headers: Record<string, string>,
  ): Promise<OpenUpload> => {
    for (const { uploadId, ...known } of await interruptedUploads(ctx, bucket.id, key)) {
      const { status, parts } = await describeUpload(ctx, me, { bucketId: bucket.id, uploadId })
      if (known.source === source && status === 'pending') return { uploadId, parts }
      // The source has another content by now.
      await call('abortUpload', { key, query: { uploadId } }).catch(() => {})
    }
    const uploadId = elementIn(await call('createUpload', { key, headers }), 'UploadId')
    await nameSource(ctx, { bucketId: bucket.id, uploadId }, source)
    return { uploadId, parts: [] }
  }

  return { call, openUpload, maxBytes: ctx.config.maxUploadBytes }
}

export type Target = ReturnType<typeof openTarget>

const elementIn = ({ body }: Reply, name: string) =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(String(body))?.[1] ?? ''

export const etagOf = ({ headers }: Reply) => String(headers.etag).replaceAll('"', '')
