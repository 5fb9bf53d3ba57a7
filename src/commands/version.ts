import { Command } from '@commander-js/extra-typings'
import type { Output } from '#platform/cli.ts'
import { version } from '#platform/version.ts'

export const versionCommand = (stdout: Output) =>
  new Command('version')
    .description('Show the version, like --version')
    .action(() => void stdout.write(`${version}\n`))
