import { Command } from '@commander-js/extra-typings'
import { examples, type Operate, type Output } from '#platform/cli.ts'
import type { ServiceName } from '#platform/config.ts'
import type { Recovery } from './recovery.ts'

/** `trivet <service> password reset --email E`: for users who do not receive mail. */
export const passwordCommand = <Context>(
  service: ServiceName,
  operate: Operate<Context>,
  recovery: (ctx: Context) => Pick<Recovery, 'link'>,
  stdout: Output,
) => {
  const password = new Command('password').description('Forgotten passwords')
  password
    .command('reset')
    .description('Print a link for choosing a new password; it works once, within one hour')
    .requiredOption('--email <email>', 'Email address of the account')
    .addHelpText('after', examples(`trivet ${service} password reset --email ada@example.com`))
    .action(({ email }) => operate(async (ctx) => void stdout.write(`${await recovery(ctx).link(email)}\n`)))
  return password
}
