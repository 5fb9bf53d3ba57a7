import { Command } from '@commander-js/extra-typings'
import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { examples, type Operate, type Output } from '#platform/cli.ts'
import { recovery } from './accounts/passwords.ts'
import { decisions } from './admin/decisions.ts'
import { setFlags } from './admin/flags.ts'
import type { Publishing } from './context.ts'

/** What only the operator may do. */
export const commands = (operate: Operate<Publishing>, stdout: Output) => {
  const publishing = new Command('publishing')
    .description('Operator commands of publishing')
    .helpGroup('Publishing:')

  for (const [word, { summary, flags }] of Object.entries(decisions))
    publishing
      .command(word)
      .description(summary)
      .requiredOption('--handle <handle>', 'Whose account')
      .addHelpText('after', examples(`trivet publishing ${word} --handle mira`))
      .action((options) =>
        operate(async (ctx) => {
          const handle = options.handle.replace(/^@/, '')
          await setFlags(ctx, handle, flags)
          stdout.write(`@${handle}: ${word} done.\n`)
        }),
      )

  publishing.addCommand(passwordCommand('publishing', operate, recovery, stdout))
  return publishing
}
