import { Command } from '@commander-js/extra-typings'
import type { Output } from '#platform/cli.ts'
import { acceptSecret } from '#platform/db/installation.ts'
import { operate } from './operate.ts'

export const secretCommand = (stdout: Output) => {
  const secret = new Command('secret').description('The secret of this system')
  secret
    .command('accept')
    .description(
      'Accept a new secret after the old one is lost: everybody has to sign in again, and what was encrypted with the old one stays unreadable',
    )
    .action(() =>
      operate(async ({ db, secrets }) => {
        await acceptSecret(db.sql, secrets)
        stdout.write('This database now uses the present secret.\n')
      }),
    )
  return secret
}
