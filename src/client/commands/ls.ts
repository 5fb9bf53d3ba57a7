import { Argument, Command } from '@commander-js/extra-typings'
import { examples, type Output } from '#platform/cli.ts'
import { printable } from '#platform/printable.ts'
import { sizeOf } from '#platform/sizes.ts'
import { type Storage, withStorage } from '../credentials.ts'
import { remotePlace } from '../places.ts'

type Line = { size: string; changed: string; name: string }

const counted = (objects: number) => `${objects} ${objects === 1 ? 'object' : 'objects'}`
const minute = (time: string) => time.slice(0, 16).replace('T', ' ')
const print = (stdout: Output, { size, changed, name }: Line) =>
  stdout.write(`${size.padStart(12)}  ${changed.padEnd(16)}  ${printable(name)}\n`)

/** What one level or all of a bucket contains, page by page. */
async function* entriesOf(storage: Storage, bucketId: string, prefix: string, isDeep: boolean) {
  if (isDeep) {
    const params = { path: { bucketId }, query: { prefix } }
    for await (const object of storage.list('/buckets/{bucketId}/objects', { params }))
      yield {
        key: object.object_key,
        size: object.size_bytes,
        type: object.content_type,
        changed: object.updated_at,
        etag: object.etag,
      }
    return
  }
  for (let cursor: string | undefined; ; ) {
    const page = await storage.folder(bucketId, { prefix, count: false, ...(cursor ? { cursor } : {}) })
    for (const folder of page.folders) yield { folder }
    for (const object of page.objects)
      yield {
        key: object.objectKey,
        size: object.sizeBytes,
        type: object.contentType,
        changed: object.createdAt,
        etag: object.etag,
      }
    if (!page.nextCursor) return
    cursor = page.nextCursor
  }
}

export const lsCommand = (stdout: Output) =>
  new Command('ls')
    .description('List buckets, or what a bucket contains')
    .addArgument(new Argument('[place]', 'bucket: or bucket:prefix/').argParser(remotePlace))
    .option('-r, --recursive', 'Everything below, not one level')
    .option('--json', 'One JSON object for each line')
    .addHelpText('after', examples('trivet ls', 'trivet ls photos:2026/', 'trivet ls -r photos: --json'))
    .action((where, { recursive, json }) =>
      withStorage(async (storage) => {
        if (!where) {
          for (const bucket of (await storage.GET('/buckets')).data) {
            if (json) stdout.write(`${JSON.stringify(bucket)}\n`)
            else
              print(stdout, {
                size: sizeOf(bucket.total_size_bytes),
                changed: minute(bucket.created_at),
                name: `${bucket.name}: (${counted(bucket.object_count)}, ${bucket.visibility})`,
              })
          }
          return
        }
        const { id } = await storage.bucketNamed(where.bucket)
        for await (const entry of entriesOf(storage, id, where.key, recursive ?? false)) {
          if (json) stdout.write(`${JSON.stringify(entry)}\n`)
          else if ('folder' in entry) print(stdout, { size: 'folder', changed: '', name: entry.folder ?? '' })
          else print(stdout, { size: sizeOf(entry.size), changed: minute(entry.changed), name: entry.key })
        }
      }),
    )
