import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { integer } from '#platform/cli.ts'

const concurrency = (text: string) => {
  const count = integer(text)
  if (count < 1 || count > 64) throw new InvalidArgumentError('1 to 64 is expected.')
  return count
}

export const concurrencyOption = () =>
  new Option('--concurrency <n>', 'How many files or groups of small files at once')
    .argParser(concurrency)
    .default(4)
