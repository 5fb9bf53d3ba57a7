import { readFile, rm, stat } from 'node:fs/promises'
import { OperatorError } from '#platform/errors.ts'
import type { Storage } from './credentials.ts'
import type { LocalFile } from './files.ts'
import type { Group, Job } from './jobs.ts'
import { type RemotePlace, textOf } from './places.ts'
import { typeOf, uploadFile } from './transfers.ts'

type Uploader = Pick<Storage, 'url' | 'upload' | 'uploadBatch'>
type Destination = { bucketId: string; to: RemotePlace }
type UploadOptions = { contentType?: string | undefined; isMove?: boolean }

/** A file that is to be uploaded, by itself or with others. */
type Upload = Job & {
  file: LocalFile
  key: string
  contentType: string
  /** To be called when it is stored. */
  stored(): Promise<void>
}

export const uploadJob = (
  storage: Uploader,
  file: LocalFile,
  { bucketId, to }: Destination,
  { contentType = typeOf(file.path), isMove = false }: UploadOptions,
): Upload => {
  const stored = async () => {
    if (isMove) await rm(file.path)
  }
  return {
    action: isMove ? 'move' : 'upload',
    from: file.path,
    to: textOf(to),
    size: file.size,
    file,
    key: to.key,
    contentType,
    stored,
    async run(onBytes) {
      await uploadFile(storage, file, { bucketId, key: to.key }, { contentType, onBytes })
      await stored()
    },
  }
}

/** Larger files are sent by themselves. A request must not exceed 1 MiB, in which bytes are encoded as Base64. */
const most = { fileBytes: 64 * 1024, files: 100, bytes: 512 * 1024 }
const bytesOf = ({ size, key }: Upload) => size + Buffer.byteLength(JSON.stringify(key))

type Ended = Parameters<Group['run']>[0]

/** Reads the files of a group. Those that have changed since they were listed are sent by themselves, and left out. */
const readUnchanged = async (jobs: readonly Upload[], ended: Ended) => {
  const found = await Promise.all(
    jobs.map(async (job) => {
      try {
        const { size } = await stat(job.file.path)
        const source = size === job.size && new Uint8Array(await readFile(job.file.path))
        if (source && source.length === size) return { job, source }
        await job.run(() => {})
        ended(job)
      } catch (error) {
        ended(job, error)
      }
      return null
    }),
  )
  return found.filter((one) => one !== null)
}

/** Uploads small files with one request. */
const uploadTogether = async (
  storage: Uploader,
  bucketId: string,
  jobs: readonly Upload[],
  ended: Ended,
): Promise<void> => {
  const read = await readUnchanged(jobs, ended)
  if (read.length === 0) return
  const files = read.map(({ job: { key, contentType }, source }) => ({ key, contentType, source }))
  const failures: Map<string, unknown> = await storage.uploadBatch(bucketId, files).then(
    ({ errors }) => new Map(errors.map(({ key, message }) => [key, new OperatorError(message)])),
    (error) => new Map(files.map(({ key }) => [key, error])),
  )
  for (const { job } of read)
    ended(job, failures.get(job.key) ?? (await job.stored().catch((error) => error)))
}

/** Small files in groups of which each is sent with one request; the others by themselves. */
export async function* inGroups(
  storage: Uploader,
  bucketId: string,
  uploads: AsyncIterable<Upload>,
): AsyncGenerator<Job | Group, void> {
  let jobs: Upload[] = []
  let bytes = 0
  const group = (): Group => {
    const taken = jobs
    jobs = []
    bytes = 0
    return { jobs: taken, run: (ended) => uploadTogether(storage, bucketId, taken, ended) }
  }
  for await (const upload of uploads) {
    if (upload.size > most.fileBytes) {
      yield upload
      continue
    }
    if (jobs.length === most.files || bytes + bytesOf(upload) > most.bytes) yield group()
    jobs.push(upload)
    bytes += bytesOf(upload)
  }
  const [only] = jobs
  if (only && jobs.length === 1) yield only
  else if (only) yield group()
}
