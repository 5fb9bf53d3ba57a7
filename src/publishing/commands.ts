import { Command } from '@commander-js/extra-typings'
import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { examples, type Operate, type Output } from '#platform/cli.ts'
import { listCommand } from '#platform/cli-list.ts'
import { instanceCommand } from '#platform/instance/command.ts'
import { recovery } from './accounts/passwords.ts'
import { decisions } from './admin/decisions.ts'
import { type AccountRow, listAccounts } from './admin/directory.ts'
import { setFlags } from './admin/flags.ts'
import type { Publishing } from './context.ts'
import type { Flags } from './profiles/profiles.ts'

/** What an admin can decide over HTTP, and its opposite. */
const all: Record<string, { summary: string; flags: Flags }> = {
  ...decisions,
  unverify: { summary: 'Take back the mark of a verified account', flags: { is_verified: false } },
  unadmin: { summary: 'Make an admin an ordinary account again', flags: { is_admin: false } },
}

const outcomes: Record<string, string> = {
  suspend: 'is suspended',
  unsuspend: 'is no longer suspended',
  verify: 'is verified',
  unverify: 'is no longer verified',
  admin: 'is now an admin',
  unadmin: 'is no longer an admin',
}

const marksOf = ({ is_admin, is_verified, is_protected, is_suspended }: AccountRow) =>
  Object.entries({ admin: is_admin, verified: is_verified, protected: is_protected, suspended: is_suspended })
    .flatMap(([mark, holds]) => (holds ? [mark] : []))
    .join(', ')

/** What only the operator may do. */
export const commands = (operate: Operate<Publishing>, stdout: Output) => {
  const publishing = new Command('publishing')
    .description('Operator commands of publishing')
    .helpGroup('Publishing:')

  publishing.addCommand(
    listCommand(
      'accounts',
      'List accounts: handles, email addresses, marks',
      {
        searches: 'handle, name or email',
        read: listAccounts,
        columns: {
          HANDLE: ({ handle }) => `@${handle}`,
          NAME: ({ username }) => username,
          EMAIL: ({ email }) => email,
          POSTS: ({ post_count }) => post_count,
          SINCE: ({ created_at }) => created_at.slice(0, 10),
          MARKS: marksOf,
        },
      },
      operate,
      stdout,
    ),
  )

  for (const [word, { summary, flags }] of Object.entries(all))
    publishing
      .command(word)
      .description(summary)
      .requiredOption('--handle <handle>', 'Whose account')
      .addHelpText('after', examples(`trivet publishing ${word} --handle mira`))
      .action((options) =>
        operate(async (ctx) => {
          const handle = options.handle.replace(/^@/, '')
          await setFlags(ctx, handle, flags)
          stdout.write(`@${handle} ${outcomes[word]}.\n`)
        }),
      )

  publishing.addCommand(instanceCommand(operate, stdout))
  publishing.addCommand(passwordCommand('publishing', operate, recovery, stdout))
  return publishing
}
