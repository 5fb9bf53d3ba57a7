import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Argument, Command } from '@commander-js/extra-typings'
import { examples, type Output } from '#platform/cli.ts'
import { hasContent } from '../checksums.ts'
import { type Storage, withStorage } from '../credentials.ts'
import { filesBelow, type LocalFile, pathBelow, statOf } from '../files.ts'
import { type Group, type Job, runJobs } from '../jobs.ts'
import { asFolder, objectsBelow, type RemoteObject } from '../listing.ts'
import { concurrencyOption } from '../options.ts'
import { isRemote, place, type RemotePlace, textOf } from '../places.ts'
import { refuse } from '../refuse.ts'
import { downloadFile } from '../transfers.ts'
import { inGroups, uploadJob } from '../uploads.ts'

type SyncOptions = { delete?: boolean | undefined; sizeOnly?: boolean | undefined; exclude: string[] }

type Sides = {
  folder: string
  place: RemotePlace
  bucketId: string
  /** By their paths below the folder and the prefix. */
  files: Map<string, LocalFile>
  objects: Map<string, RemoteObject>
}

/** `*` and `?` match within a name, `**` also slashes. Unlike in a shell, they match names that begin with a dot. */
const matcherOf = (pattern: string) => {
  const parts = pattern.split(/(\*\*|\*|\?)/).map((part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('')}$`, 's')
}

/** What both sides have. Names are all that is kept in memory. */
const readSides = async (storage: Storage, folder: string, where: RemotePlace, { exclude }: SyncOptions) => {
  const prefix = asFolder(where.key)
  const { id: bucketId } = await storage.bucketNamed(where.bucket)
  const excluded = exclude.map(matcherOf)
  const isWanted = (name: string) => !excluded.some((pattern) => pattern.test(name))
  const files = new Map<string, LocalFile>()
  if (await statOf(folder))
    for await (const file of filesBelow(folder)) if (isWanted(file.name)) files.set(file.name, file)
  const objects = new Map<string, RemoteObject>()
  for await (const object of objectsBelow(storage, bucketId, prefix)) {
    const name = object.key.slice(prefix.length)
    if (name !== '' && isWanted(name)) objects.set(name, object)
  }
  return { folder, place: { ...where, key: prefix }, bucketId, files, objects } satisfies Sides
}

const isSame = async (
  file: LocalFile | undefined,
  object: RemoteObject | undefined,
  sizeOnly: boolean | undefined,
) => {
  if (!file || !object || file.size !== object.size) return false
  return sizeOnly || hasContent(file.path, file.size, object.etag)
}

const below = ({ bucket, key }: RemotePlace, name: string) => ({ bucket, key: `${key}${name}` })

async function* changedFiles(storage: Storage, sides: Sides, { sizeOnly }: SyncOptions) {
  const { bucketId, files, objects, place } = sides
  for (const [name, file] of files)
    if (!(await isSame(file, objects.get(name), sizeOnly)))
      yield uploadJob(storage, file, { bucketId, to: below(place, name) }, {})
}

async function* toStorage(
  storage: Storage,
  sides: Sides,
  options: SyncOptions,
): AsyncGenerator<Job | Group, void> {
  const { bucketId, files, objects } = sides
  yield* inGroups(storage, bucketId, changedFiles(storage, sides, options))
  if (!options.delete) return
  for (const [name, { key }] of objects) {
    if (files.has(name)) continue
    const params = { path: { bucketId, objectKey: key } }
    yield {
      action: 'delete',
      from: textOf(below(sides.place, name)),
      size: 0,
      run: () => storage.DELETE('/buckets/{bucketId}/objects/{objectKey}', { params }),
    }
  }
}

async function* fromStorage(storage: Storage, sides: Sides, options: SyncOptions): AsyncGenerator<Job, void> {
  const { folder, files, objects } = sides
  for (const [name, object] of objects) {
    if (await isSame(files.get(name), object, options.sizeOnly)) continue
    yield {
      action: 'download',
      from: `${sides.place.bucket}:${object.key}`,
      to: `${folder}/${name}`,
      size: object.size,
      run: async (onBytes) => downloadFile(storage, object, pathBelow(folder, name), onBytes),
    }
  }
  if (!options.delete) return
  for (const [name, { path }] of files)
    if (!objects.has(name)) yield { action: 'delete', from: path, size: 0, run: () => rm(path) }
}

export const syncCommand = (stdout: Output) =>
  new Command('sync')
    .description('Make a prefix like a folder, or a folder like a prefix; compares sizes and checksums')
    .addArgument(new Argument('<from>', 'A folder or bucket:prefix').argParser(place))
    .addArgument(new Argument('<to>', 'A folder or bucket:prefix').argParser(place))
    .option('--delete', 'Also delete what the source does not have')
    .option('--dry-run', 'Only print what would be done')
    .option('--size-only', 'Do not compare checksums, which means reading the local files')
    .option('--exclude <pattern...>', 'Leave out what matches, such as "*.tmp" or "cache/**"')
    .addOption(concurrencyOption())
    .option('--json', 'One JSON object for each line')
    .addHelpText(
      'after',
      examples(
        'trivet sync ./pictures photos:2026/',
        'trivet sync photos:2026/ ./pictures --delete --dry-run',
      ),
    )
    .action((from, to, { concurrency, json, dryRun, exclude = [], ...rest }) =>
      withStorage(async (storage) => {
        const options = { ...rest, exclude }
        if (isRemote(from) === isRemote(to)) refuse('One of the two must be a folder, the other remote')
        const running = { storage, concurrency, json, dryRun }
        if (isRemote(to) && !isRemote(from)) {
          const folder = resolve(from.path)
          // Otherwise a misspelt folder together with --delete would delete everything.
          if (!(await statOf(folder))?.isDirectory()) refuse(`There is no folder ${from.path}`)
          const sides = await readSides(storage, folder, to, options)
          return runJobs(toStorage(storage, sides, options), stdout, running)
        }
        if (isRemote(from) && !isRemote(to)) {
          const sides = await readSides(storage, resolve(to.path), from, options)
          return runJobs(fromStorage(storage, sides, options), stdout, running)
        }
      }),
    )
