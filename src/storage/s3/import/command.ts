import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { CommandFailed, examples, integer, type Operate, type Output } from '#platform/cli.ts'
import { printable } from '#platform/printable.ts'
import { showProgress } from '#platform/progress.ts'
import { sizeOf } from '#platform/sizes.ts'
import type { Storage } from '../../context.ts'
import { readAddress } from './address.ts'
import { importObjects, newTally, type Tally } from './import.ts'

const maxConcurrency = 64

const concurrency = (text: string) => {
  const number = integer(text)
  if (number >= 1 && number <= maxConcurrency) return number
  throw new InvalidArgumentError(`A number from 1 to ${maxConcurrency} is expected.`)
}

const objects = (number: number) => `${number} ${number === 1 ? 'object' : 'objects'}`

const durationOf = (seconds: number) => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}

/** Such as `120 of 4000 objects, 1.2 GiB of 3.4 GiB, 56.0 MiB/s, 40 s left`. */
const progressLine = (tally: Tally, seconds: number) => {
  const done = tally.copied + tally.skipped + tally.failed
  if (tally.objects === 0) return 'counting the objects of the source'
  const rate = seconds > 0 ? tally.arrivedBytes / seconds : 0
  const left = tally.bytes - tally.skippedBytes - tally.arrivedBytes
  const parts = [
    `${done} of ${objects(tally.objects)}`,
    `${sizeOf(tally.skippedBytes + tally.arrivedBytes)} of ${sizeOf(tally.bytes)}`,
    `${sizeOf(rate)}/s`,
    ...(rate > 0 && left > 0 && seconds > 2 ? [`${durationOf(left / rate)} left`] : []),
    ...(tally.failed > 0 ? [`${tally.failed} failed`] : []),
  ]
  return parts.join(', ')
}

const summary = (tally: Tally, isDryRun: boolean) =>
  [
    `${objects(tally.copied)} ${isDryRun ? 'would be imported' : 'imported'} (${sizeOf(tally.copiedBytes)})`,
    `${tally.skipped} already there`,
    `${tally.failed} failed`,
  ].join(', ')

export const importCommand = (operate: Operate<Storage>, stdout: Output) =>
  new Command('import')
    .description('Copy objects with metadata and tags from any S3 endpoint; can be repeated to go on')
    .requiredOption(
      '--from <address>',
      'Where they are: s3://bucket[/prefix][?endpoint=…&region=…]',
      readAddress,
    )
    .requiredOption('--org <slug>', 'The organization (see trivet storage organizations)')
    .requiredOption('--bucket <name>', 'The bucket, which is created if it is missing')
    .option('--concurrency <n>', 'How many objects at once', concurrency, 8)
    .option('--dry-run', 'Only tell what would be imported')
    .addHelpText(
      'after',
      examples(
        "AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… trivet storage import --from 's3://photos?endpoint=https://minio.example' --org harbour-studio --bucket photos",
      ),
    )
    .action(({ dryRun: isDryRun = false, ...order }) =>
      operate(async (ctx) => {
        const tally = newTally()
        let startedAt = performance.now()
        const line = () => {
          if (tally.objects === 0) startedAt = performance.now()
          return `Importing: ${progressLine(tally, (performance.now() - startedAt) / 1000)}`
        }
        const { end } = showProgress({
          line,
          mark: () => `${tally.arrivedBytes} ${tally.skipped} ${tally.copied}`,
        })
        await importObjects(ctx, { ...order, isDryRun }, tally).finally(end)
        for (const { key, reason } of tally.failures)
          stdout.write(`failed: ${printable(`${key}: ${reason}`)}\n`)
        const more = tally.failed - tally.failures.length
        if (more > 0) stdout.write(`failed: ${more} more\n`)
        stdout.write(`${summary(tally, isDryRun)}.\n`)
        if (tally.failed > 0) throw new CommandFailed()
      }),
    )
