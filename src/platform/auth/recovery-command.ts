import { type Command, command } from '#platform/cli.ts'
import type { ServiceName } from '#platform/config.ts'
import type { Recovery } from './recovery.ts'

/** `trivet <service> password reset --email E`: for users who do not receive mail. */
export const passwordCommand = <Context>(
  service: ServiceName,
  operate: (work: (ctx: Context) => Promise<void>) => Promise<void>,
  recovery: (ctx: Context) => Pick<Recovery, 'link'>,
): Command =>
  command({
    words: [service, 'password', 'reset'],
    summary: 'Print a link for choosing a new password; it works once, within one hour',
    options: {
      email: { type: 'string', value: 'EMAIL', required: true, description: 'Email address of the account' },
    },
    examples: [`trivet ${service} password reset --email ada@example.com`],
    run: ({ email }) =>
      operate(async (ctx) => void process.stdout.write(`${await recovery(ctx).link(email)}\n`)),
  })
