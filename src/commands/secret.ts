import { command } from '#platform/cli.ts'
import { acceptSecret } from '#platform/db/installation.ts'
import { operate } from './operate.ts'

export const secretCommand = command({
  words: ['secret', 'accept'],
  summary:
    'Go on with another secret when the old one is lost: everybody signs in again, and what it sealed stays closed',
  run: (_, stdout) =>
    operate(async ({ db, secrets }) => {
      await acceptSecret(db.sql, secrets)
      stdout.write('The present secret is now the one of this database.\n')
    }),
})
