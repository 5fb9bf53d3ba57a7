import { type Command, command } from '#platform/cli.ts'
import type { ServiceName } from '#platform/config.ts'
import type { Recovery } from './recovery.ts'

/** `trivet <service> password reset --email E`: for those whom no mail reaches. */
export const passwordCommand = <Context>(
  service: ServiceName,
  operate: (work: (ctx: Context) => Promise<void>) => Promise<void>,
  recovery: (ctx: Context) => Pick<Recovery, 'link'>,
): Command =>
  command({
    words: [service, 'password', 'reset'],
    summary: 'Print a link with which somebody can choose a new password, once, within one hour',
    options: {
      email: { type: 'string', value: 'EMAIL', required: true, description: 'Whose account' },
    },
    examples: [`trivet ${service} password reset --email ada@example.com`],
    run: ({ email }) =>
      operate(async (ctx) => void process.stdout.write(`${await recovery(ctx).link(email)}\n`)),
  })
