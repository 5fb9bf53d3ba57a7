import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { prepare, upload } from '../storage/account.ts'
import { fillBucket } from '../storage/crowd.ts'
import { memoryWorkloads, streamDown, streamUp } from '../storage/memory.ts'
import { call, type Trivet } from '../system.ts'
import { largeWorkloads, streamedUpload } from './large.ts'
import { type Credentials, signedHeaders } from './signed.ts'

const KiB = 1024
const MiB = 1024 * KiB
const sizes = [
  ['4 KiB', 4 * KiB],
  ['1 MiB', MiB],
] as const

/** Uploads under new keys. A signature is for one URL, so they are made beforehand, more than can be sent. */
let sets = 0
const freshUploads = (
  root: string,
  size: number,
  count: number,
  headersOf: (url: string, body: string) => Record<string, string>,
) => {
  const body = 'u'.repeat(size)
  const set = ++sets
  const variants = Array.from({ length: count }, (_, n) => {
    const url = `${root}/up-${set}-${n}`
    return { url, headers: headersOf(url, body) }
  })
  return { url: `${root}/up`, method: 'PUT', body, variants, connections: 16 }
}

/** Through S3 what the native API does, each beside it. */
export const s3Workloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const { urls, pid } = trivet
  const { headers, root, credentials } = await prepare(trivet, 's3')
  const bucket = `${urls.s3}/bench`
  const signed = (url: string) => signedHeaders(credentials, { url })

  for (const [name, size] of sizes) {
    await upload(`${root}/hot-${size}`, headers, size)
    const url = `${bucket}/hot-${size}`
    yield await compare({
      name: `GET ${name}, hot`,
      limit: 'native GET',
      subject: async (seconds) => (await load({ url, headers: signed(url), seconds })).perSecond,
      against: async (seconds) => (await load({ url: `${root}/hot-${size}`, headers, seconds })).perSecond,
    })
  }

  for (const [name, size] of sizes) {
    const count = size === MiB ? 64 : 4000
    const type = { 'content-type': 'application/octet-stream' }
    const native = () => freshUploads(root, size, count, () => ({ ...headers, ...type }))
    const s3 = () =>
      freshUploads(bucket, size, count, (url, body) =>
        signedHeaders(credentials, { url, method: 'PUT', headers: type, body }),
      )
    yield await compare({
      name: `PUT ${name}, durable`,
      limit: 'native PUT',
      subject: async (seconds) => (await load({ ...s3(), seconds })).perSecond,
      against: async (seconds) => (await load({ ...native(), seconds })).perSecond,
    })
  }

  yield* largeWorkloads(credentials, `${bucket}/large`, { url: `${root}/large`, headers })
  yield* memory(pid, credentials, `${bucket}/gigabyte`)
  yield* listing(trivet, credentials, headers)
}

const gibibyte = 1024

const memory = async function* (pid: number, credentials: Credentials, url: string) {
  const plain = (method: string) =>
    signedHeaders(credentials, { url, method, headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } })
  const chunked = streamedUpload(credentials, url, gibibyte)
  const frame = { chunk: chunked.frame, ending: chunked.ending }
  yield* memoryWorkloads(pid, [
    ['S3 upload', () => streamUp(url, plain('PUT'), gibibyte)],
    ['S3 upload in chunks', () => streamUp(url, chunked.headers, gibibyte, frame)],
    ['S3 download', () => streamDown(url, plain('GET'), gibibyte)],
  ])
}

const pages = { page: '', prefix: '&prefix=dept-007/', folders: '&delimiter=/' }

/** Pages of a million keys against those of ten thousand, of which each folder has fifty: at most 1.5 times as slow. */
const listing = async function* (
  { urls, database }: Trivet,
  credentials: Credentials,
  headers: Record<string, string>,
) {
  const bucketOf = async (count: number) => {
    const name = `keys-${count}`
    const { id } = (await call('POST', `${urls.storage}/buckets`, { name }, headers)) as { id: string }
    await fillBucket(database, id, count)
    return `${urls.s3}/${name}`
  }
  const small = await bucketOf(10_000)
  const large = await bucketOf(1_000_000)
  for (const [name, query] of Object.entries(pages)) {
    const rate = (bucket: string) => async (seconds: number) => {
      const url = `${bucket}?list-type=2&max-keys=50${query}`
      return (await load({ url, headers: signedHeaders(credentials, { url }), connections: 8, seconds }))
        .perSecond
    }
    const limit = 'the same of 10,000 objects'
    yield await compare(
      { name: `ListObjectsV2 ${name}, 1 million`, limit, subject: rate(large), against: rate(small) },
      3,
      1,
    )
  }
}
