import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { examples, type Output } from '#platform/cli.ts'
import { printable } from '#platform/printable.ts'
import { withStorage } from '../credentials.ts'
import { writeOut } from '../output.ts'
import { remotePlace, requireKey } from '../places.ts'

const target = new Argument('<object>', 'bucket:key').argParser(remotePlace)

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
        stdout.write(json ? `${JSON.stringify(data)}\n` : `Made ${printable(data.name)}:\n`)
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
        await writeOut(body)
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
        stdout.write(json ? `${JSON.stringify(data)}\n` : `${printable(data.url)}\n`)
      }),
    )
