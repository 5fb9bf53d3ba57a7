import { basename, join, resolve } from 'node:path'
import { Argument, Command } from '@commander-js/extra-typings'
import { examples, type Output } from '#platform/cli.ts'
import { type Storage, withStorage } from '../credentials.ts'
import { filesBelow, pathBelow, statOf } from '../files.ts'
import { type Job, runJobs } from '../jobs.ts'
import { asFolder, objectAt, objectsBelow, type RemoteObject } from '../listing.ts'
import { concurrencyOption } from '../options.ts'
import { writeOut } from '../output.ts'
import { isRemote, type LocalPlace, type Place, place, type RemotePlace, textOf } from '../places.ts'
import { refuse } from '../refuse.ts'
import { downloadFile, uploadStream } from '../transfers.ts'
import { inGroups, uploadJob } from '../uploads.ts'

type CopyOptions = { recursive?: boolean | undefined; contentType?: string | undefined; isMove: boolean }

const isStandard = (local: LocalPlace) => local.path === '-'

/** A place that ends with a slash, or is only a bucket, is a folder: what is copied keeps its name there. */
const keyIn = (to: RemotePlace, name: string) =>
  to.key === '' || to.key.endsWith('/') ? `${to.key}${name}` : to.key

async function* uploadsBelow(
  storage: Storage,
  folder: string,
  { bucketId, to }: { bucketId: string; to: RemotePlace },
  options: CopyOptions,
) {
  const prefix = asFolder(to.key)
  for await (const file of filesBelow(folder))
    yield uploadJob(storage, file, { bucketId, to: { ...to, key: `${prefix}${file.name}` } }, options)
}

async function* uploads(storage: Storage, from: LocalPlace, to: RemotePlace, options: CopyOptions) {
  const { id: bucketId } = await storage.bucketNamed(to.bucket)
  if (isStandard(from)) {
    if (to.key === '' || to.key.endsWith('/')) refuse('Standard input needs a key: bucket:key')
    const { contentType } = options
    yield {
      action: 'upload',
      from: '-',
      to: textOf(to),
      size: 0,
      run: (onBytes) =>
        uploadStream(storage, process.stdin, { bucketId, key: to.key }, { contentType, onBytes }),
    } satisfies Job
    return
  }
  const path = resolve(from.path)
  const found = (await statOf(path)) ?? refuse(`There is no ${from.path}`)
  if (found.isDirectory()) {
    if (!options.recursive) refuse(`${from.path} is a folder: use --recursive`)
    yield* inGroups(storage, bucketId, uploadsBelow(storage, path, { bucketId, to }, options))
    return
  }
  const file = { path, name: basename(path), size: found.size, changedAt: found.mtimeMs }
  yield uploadJob(storage, file, { bucketId, to: { ...to, key: keyIn(to, file.name) } }, options)
}

/** What the source stands for: one object, or everything below a prefix, with the rest of each key. */
async function* sources(storage: Storage, from: RemotePlace, isDeep: boolean) {
  if (!isDeep) {
    if (from.key === '' || from.key.endsWith('/')) refuse(`${textOf(from)} is a folder: use --recursive`)
    yield { object: await objectAt(storage, from), name: from.key.split('/').at(-1) as string }
    return
  }
  const prefix = asFolder(from.key)
  const { id } = await storage.bucketNamed(from.bucket)
  // What stands for the folder itself is no file.
  for await (const object of objectsBelow(storage, id, prefix))
    if (object.key !== prefix) yield { object, name: object.key.slice(prefix.length) }
}

const deleteObject = (storage: Storage, { bucketId, key }: RemoteObject) =>
  storage.DELETE('/buckets/{bucketId}/objects/{objectKey}', {
    params: { path: { bucketId, objectKey: key } },
  })

async function* downloads(storage: Storage, from: RemotePlace, to: LocalPlace, options: CopyOptions) {
  const isFolder = to.path.endsWith('/') || (await statOf(to.path))?.isDirectory()
  const isDeep = options.recursive ?? false
  for await (const { object, name } of sources(storage, from, isDeep)) {
    const target = isDeep || isFolder ? join(to.path, name) : to.path
    yield {
      action: options.isMove ? 'move' : 'download',
      from: `${from.bucket}:${object.key}`,
      to: target,
      size: object.size,
      async run(onBytes) {
        const path = isDeep || isFolder ? pathBelow(to.path, name) : resolve(to.path)
        await downloadFile(storage, object, path, onBytes)
        if (options.isMove) await deleteObject(storage, object)
      },
    } satisfies Job
  }
}

async function* remoteCopies(storage: Storage, from: RemotePlace, to: RemotePlace, options: CopyOptions) {
  const { id } = await storage.bucketNamed(to.bucket)
  const { recursive = false, isMove } = options
  for await (const { object, name } of sources(storage, from, recursive)) {
    const key = recursive ? `${asFolder(to.key)}${name}` : keyIn(to, name)
    const init = {
      params: { path: { bucketId: object.bucketId, objectKey: object.key } },
      body: { destinationKey: key, destinationBucketId: id },
    }
    yield {
      action: isMove ? 'move' : 'copy',
      from: `${from.bucket}:${object.key}`,
      to: `${to.bucket}:${key}`,
      size: object.size,
      async run(onBytes) {
        if (isMove) await storage.POST('/buckets/{bucketId}/objects/{objectKey}/move', init)
        else await storage.POST('/buckets/{bucketId}/objects/{objectKey}/copy', init)
        onBytes(object.size)
      },
    } satisfies Job
  }
}

const jobsFor = (storage: Storage, from: Place, to: Place, options: CopyOptions) => {
  if (isRemote(from)) {
    if (isRemote(to)) return remoteCopies(storage, from, to, options)
    return downloads(storage, from, to, options)
  }
  return isRemote(to)
    ? uploads(storage, from, to, options)
    : refuse('One of the two must be remote, such as photos:2026/harbour.jpg')
}

const copying = (name: string, description: string, isMove: boolean) =>
  new Command(name)
    .description(description)
    .addArgument(
      new Argument('<from>', isMove ? 'A file or bucket:key' : 'A file, bucket:key or -').argParser(place),
    )
    .addArgument(
      new Argument('<to>', isMove ? 'A file or bucket:key' : 'A file, bucket:key or -').argParser(place),
    )
    .option('-r, --recursive', 'A folder or prefix with everything below')
    .addOption(concurrencyOption())
    .option('--content-type <type>', 'Of what is uploaded (default: by the extension)')
    .option('--json', 'One JSON object for each line')
    .option('--dry-run', 'Only print what would be done')

export const cpCommand = (stdout: Output) =>
  copying('cp', 'Copy files to storage, from it, or within it', false)
    .addHelpText(
      'after',
      examples(
        'trivet cp harbour.jpg photos:2026/',
        'trivet cp -r photos:2026/ ./pictures',
        'pg_dump shop | trivet cp - backups:shop.sql',
      ),
    )
    .action((from, to, { concurrency, json, dryRun, ...options }) =>
      withStorage(async (storage) => {
        if (!isRemote(to) && isStandard(to) && isRemote(from)) {
          const { id } = await storage.bucketNamed(from.bucket)
          const { body } = await storage.download(id, from.key)
          return writeOut(body)
        }
        const jobs = jobsFor(storage, from, to, { ...options, isMove: false })
        await runJobs(jobs, stdout, { storage, concurrency, json, dryRun })
      }),
    )

export const mvCommand = (stdout: Output) =>
  copying('mv', 'Move or rename objects, or move files to storage or from it', true)
    .addHelpText('after', examples('trivet mv photos:draft.jpg photos:2026/harbour.jpg'))
    .action((from, to, { concurrency, json, dryRun, ...options }) =>
      withStorage(async (storage) => {
        if ([from, to].some((one) => !isRemote(one) && isStandard(one)))
          refuse('Only cp reads and writes streams')
        const jobs = jobsFor(storage, from, to, { ...options, isMove: true })
        await runJobs(jobs, stdout, { storage, concurrency, json, dryRun })
      }),
    )
