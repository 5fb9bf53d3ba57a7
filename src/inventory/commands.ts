import { Command } from '@commander-js/extra-typings'
import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { ending, integer, type Operate, type Output } from '#platform/cli.ts'
import { listCommand } from '#platform/cli-list.ts'
import { OperatorError } from '#platform/errors.ts'
import { recovery } from './accounts/passwords.ts'
import type { Inventory } from './context.ts'
import { listTenants, listUsers } from './tenants/directory.ts'
import { setBan, setSubscription } from './users/users.ts'

/** What only the operator may do. */
export const commands = (operate: Operate<Inventory>, stdout: Output) => {
  const inventory = new Command('inventory')
    .description('Operator commands of inventory')
    .helpGroup('Inventory:')

  inventory.addCommand(
    listCommand(
      'tenants',
      'List tenants: ids, names, ends of subscriptions',
      {
        searches: 'the name or the email of the first admin',
        read: listTenants,
        columns: {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          ADMIN: ({ admin }) => admin ?? '',
          USERS: ({ users }) => users,
          SUBSCRIBED: ({ subscription_expires_at }) => `until ${subscription_expires_at.slice(0, 10)}`,
        },
      },
      operate,
      stdout,
    ),
  )

  inventory.addCommand(
    listCommand(
      'users',
      'List users of all tenants: email addresses, roles, bans',
      {
        searches: 'name or email',
        read: listUsers,
        columns: {
          EMAIL: ({ email }) => email,
          NAME: ({ name }) => name,
          ROLE: ({ role }) => role,
          TENANT: ({ tenant, tenant_id }) => `${tenant} (${tenant_id})`,
          BANNED: ({ is_banned }) => (is_banned ? 'banned' : ''),
        },
      },
      operate,
      stdout,
    ),
  )

  inventory.addCommand(passwordCommand('inventory', operate, recovery, stdout))

  inventory
    .command('ban')
    .description('Ban an account, from its next request on')
    .requiredOption('--email <email>', 'Whose account')
    .action(({ email }) =>
      operate(async (ctx) => {
        await setBan(ctx, email, true)
        stdout.write(`${email} is banned.\n`)
      }),
    )

  inventory
    .command('unban')
    .description('Let an account in again')
    .requiredOption('--email <email>', 'Whose account')
    .action(({ email }) =>
      operate(async (ctx) => {
        await setBan(ctx, email, false)
        stdout.write(`${email} is no longer banned.\n`)
      }),
    )

  inventory
    .command('subscription')
    .description('Subscriptions of tenants')
    .command('set')
    .description('Set the date on which the subscription of a tenant ends')
    .requiredOption('--tenant <id>', 'Its id (see trivet inventory tenants)', integer)
    .requiredOption('--expires <date>', 'Its last day, or the time at which it ends', ending)
    .action(({ tenant, expires }) =>
      operate(async (ctx) => {
        if (tenant < 1) throw new OperatorError('--tenant must be at least 1')
        await setSubscription(ctx, tenant, expires)
        stdout.write(`The subscription of tenant ${tenant} ends on ${expires.toISOString()}.\n`)
      }),
    )

  return inventory
}
