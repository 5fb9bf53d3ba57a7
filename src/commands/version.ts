import { readFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import type { Output } from '#platform/cli.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export { version }

export const versionCommand = (stdout: Output) =>
  new Command('version')
    .description('Show the version, like --version')
    .action(() => void stdout.write(`${version}\n`))
