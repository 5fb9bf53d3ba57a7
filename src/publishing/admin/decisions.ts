import { type Command, command } from '#platform/cli.ts'
import type { Publishing } from '../context.ts'
import type { Flags } from '../profiles/profiles.ts'
import { setFlags } from './flags.ts'

export const decisions: Record<string, { summary: string; flags: Flags }> = {
  suspend: {
    summary: 'Suspend an account: it is locked out, and its posts are gone',
    flags: { is_suspended: true },
  },
  unsuspend: { summary: 'End a suspension: the posts are back', flags: { is_suspended: false } },
  verify: { summary: 'Mark an account as verified', flags: { is_verified: true } },
  admin: { summary: 'Make an account an admin', flags: { is_admin: true } },
}

/** `trivet publishing suspend --handle mira` and the like. */
export const adminCommands = (
  operate: (work: (ctx: Publishing) => Promise<void>) => Promise<void>,
): Command[] =>
  Object.entries(decisions).map(([word, { summary, flags }]) =>
    command({
      words: ['publishing', word],
      summary,
      options: { handle: { type: 'string', value: 'HANDLE', required: true, description: 'Whose account' } },
      examples: [`trivet publishing ${word} --handle mira`],
      run: ({ handle }) =>
        operate(async (ctx) => {
          await setFlags(ctx, handle.replace(/^@/, ''), flags)
          process.stdout.write(`@${handle.replace(/^@/, '')}: ${word} done.\n`)
        }),
    }),
  )
