import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { type Command, command, OperatorError } from '#platform/cli.ts'
import { recovery } from './accounts/passwords.ts'
import type { Inventory } from './context.ts'
import { setBan, setSubscription } from './users/users.ts'

type Operate = (work: (ctx: Inventory) => Promise<void>) => Promise<void>

const email = { type: 'string', value: 'EMAIL', required: true, description: 'Whose account' } as const

const ban = (operate: Operate, word: 'ban' | 'unban', summary: string) =>
  command({
    words: ['inventory', word],
    summary,
    options: { email },
    run: (values) =>
      operate(async (ctx) => {
        await setBan(ctx, values.email, word === 'ban')
        process.stdout.write(`${values.email} is ${word === 'ban' ? 'banned' : 'no longer banned'}.\n`)
      }),
  })

/** What only the operator may do. */
export const commands = (operate: Operate): Command[] => [
  passwordCommand('inventory', operate, recovery),
  ban(operate, 'ban', 'Refuse an account from its next request on'),
  ban(operate, 'unban', 'Let an account in again'),
  command({
    words: ['inventory', 'subscription', 'set'],
    summary: 'Let the subscription of a tenant end on a date',
    options: {
      tenant: { type: 'integer', value: 'ID', required: true, description: 'Its id, as sign-in shows it' },
      expires: { type: 'date', required: true, description: 'The first day on which it has ended' },
    },
    run: ({ tenant, expires }) =>
      operate(async (ctx) => {
        if (tenant < 1) throw new OperatorError('--tenant must be at least 1')
        await setSubscription(ctx, tenant, expires)
        process.stdout.write(`The subscription of tenant ${tenant} ends on ${expires.toISOString()}.\n`)
      }),
  }),
]
