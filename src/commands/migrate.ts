import { Command } from '@commander-js/extra-typings'
import type { Output } from '#platform/cli.ts'
import { operate } from './operate.ts'

export const migrateCommand = (stdout: Output) =>
  new Command('migrate')
    .description('Bring the database up to date (serve does so too)')
    .action(() => operate(async () => void stdout.write('The database is up to date.\n')))
