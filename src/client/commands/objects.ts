import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { CommandFailed, examples, type Output } from '#platform/cli.ts'
import { OperatorError } from '#platform/errors.ts'
import { reasonOf, withStorage } from '../credentials.ts'
import { printable, type RemotePlace, remotePlace, textOf } from '../places.ts'

const target = new Argument('<object>', 'bucket:key').argParser(remotePlace)

const requireKey = ({ key }: RemotePlace) => {
  if (key === '') throw new OperatorError('A key is expected after the colon')
}

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** `90s`, `15m`, `12h` or `7d`. */
const lifetime = (text: string) => {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (units[unit ?? ''] ?? Number.NaN)
  if (seconds >= 1 && seconds <= 604_800) return seconds
  throw new InvalidArgumentError('A duration up to 7d is expected, such as 15m, 12h or 7d.')
}

export const mbCommand = (stdout: Output) =>
  new Command('mb')
    .description('Make a bucket')
    .argument('<name>', '3 to 255 lowercase letters, digits, dots and hyphens')
    .option('--public', 'Everybody may read its objects')
    .option('--no-versioning', 'Keep no earlier versions of objects')
    .option('--json', 'Print the bucket as JSON')
    .action((name, { public: isPublic, versioning, json }) =>
      withStorage(async (storage) => {
        const { data } = await storage.POST('/buckets', {
          body: {
            name: name.replace(/:$/, ''),
            visibility: isPublic ? 'public' : 'private',
            versioningEnabled: versioning,
          },
        })
        stdout.write(json ? `${JSON.stringify(data)}\n` : `Made ${data.name}:\n`)
      }),
    )

export const catCommand = () =>
  new Command('cat')
    .description('Write an object to standard output')
    .addArgument(target)
    .option('--version <id>', 'An earlier version')
    .action((place, { version }) =>
      withStorage(async (storage) => {
        requireKey(place)
        const { id } = await storage.bucketNamed(place.bucket)
        const { body } = await storage.download(id, place.key, version ? { versionId: version } : {})
        for await (const chunk of body)
          if (!process.stdout.write(chunk))
            await new Promise((resolve) => {
              process.stdout.once('drain', resolve)
              process.stdout.once('close', resolve)
            })
      }),
    )

export const shareCommand = (stdout: Output) =>
  new Command('share')
    .description('Print an address under which anybody can download an object, or upload one, for a while')
    .addArgument(target)
    .addOption(
      new Option('--expires <duration>', 'How long it works').argParser(lifetime).default(3600, '1h'),
    )
    .option('--upload', 'For an upload instead of a download')
    .option('--json', 'Print address and expiry as JSON')
    .addHelpText('after', examples('trivet share photos:2026/harbour.jpg --expires 7d'))
    .action((place, { expires, upload, json }) =>
      withStorage(async (storage) => {
        requireKey(place)
        const { id } = await storage.bucketNamed(place.bucket)
        const { data } = await storage.POST('/buckets/{bucketId}/signed-url', {
          params: { path: { bucketId: id } },
          body: { objectKey: place.key, method: upload ? 'PUT' : 'GET', expiresIn: expires },
        })
        stdout.write(json ? `${JSON.stringify(data)}\n` : `${data.url}\n`)
      }),
    )

const batchSize = 1000

export const rmCommand = (stdout: Output) =>
  new Command('rm')
    .description('Delete objects; they can be recovered until their retention ends')
    .argument('<objects...>', 'bucket:key, or with --recursive bucket:prefix')
    .option('-r, --recursive', 'Everything whose key begins like this')
    .option('--permanent', 'Delete for good, with all versions; one object at a time')
    .option('--dry-run', 'Only print what would be deleted')
    .option('--json', 'One JSON object for each line')
    .addHelpText('after', examples('trivet rm photos:2026/harbour.jpg', 'trivet rm -r photos:2025/'))
    .action((texts, { recursive, permanent, dryRun, json }) =>
      withStorage(async (storage) => {
        let failures = 0
        const report = (place: RemotePlace, error?: string) => {
          if (error) failures++
          const name = textOf(place)
          if (json)
            stdout.write(
              `${JSON.stringify({ object: name, ...(error ? { error } : { deleted: !dryRun }) })}\n`,
            )
          else if (error) process.stderr.write(`trivet: ${printable(name)}: ${error}\n`)
          else stdout.write(`${dryRun ? 'Would delete' : 'Deleted'} ${printable(name)}\n`)
        }
        const remove = async (bucket: string, bucketId: string, keys: string[]) => {
          if (dryRun) return keys.forEach((key) => void report({ bucket, key }))
          if (permanent) {
            for (const key of keys) {
              const params = { path: { bucketId, objectKey: key }, query: { permanent: true } }
              const error = await storage
                .DELETE('/buckets/{bucketId}/objects/{objectKey}', { params })
                .then(() => undefined, reasonOf)
              report({ bucket, key }, error)
            }
            return
          }
          const params = { path: { bucketId } }
          const { data } = await storage.POST('/buckets/{bucketId}/objects/delete', {
            params,
            body: { keys },
          })
          for (const key of data.deleted) report({ bucket, key })
          for (const { key, message } of data.errors) report({ bucket, key }, message)
        }
        for (const text of texts) {
          const place = remotePlace(text)
          const { id } = await storage.bucketNamed(place.bucket)
          if (!recursive) {
            requireKey(place)
            await remove(place.bucket, id, [place.key])
            continue
          }
          let batch: string[] = []
          const params = { path: { bucketId: id }, query: { prefix: place.key } }
          for await (const { object_key } of storage.list('/buckets/{bucketId}/objects', { params })) {
            batch.push(object_key)
            if (batch.length < batchSize) continue
            await remove(place.bucket, id, batch)
            batch = []
          }
          if (batch.length > 0) await remove(place.bucket, id, batch)
        }
        if (failures > 0) throw new CommandFailed()
      }),
    )
