import { command } from '#platform/cli.ts'
import { operate } from './operate.ts'

export const migrateCommand = command({
  words: ['migrate'],
  summary: 'Bring the database up to date (serve does so too)',
  run: () => operate(async () => void process.stdout.write('The database is up to date.\n')),
})
