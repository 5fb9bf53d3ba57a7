import { Command, Option } from '@commander-js/extra-typings'
import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { adoptBlobs } from '#platform/blobs/owner.ts'
import { ending, examples, integer, type Operate, type Output } from '#platform/cli.ts'
import { listCommand } from '#platform/cli-list.ts'
import { OperatorError } from '#platform/errors.ts'
import { sizeOf } from '#platform/sizes.ts'
import { listAccounts, listOrganizations } from './accounts/organizations.ts'
import { recovery } from './accounts/recovery.ts'
import { createPromo, endPromo, listPromos, setPlan } from './billing/operate.ts'
import { tiers } from './billing/tiers.ts'
import type { Storage } from './context.ts'
import { importCommand } from './s3/import/command.ts'

const codes = (kind: keyof typeof tiers) => tiers[kind].map(({ code }) => code)

/** What only the operator may do. */
export const commands = (operate: Operate<Storage>, stdout: Output) => {
  const storage = new Command('storage').description('Operator commands of storage').helpGroup('Storage:')

  storage.addCommand(
    listCommand(
      'organizations',
      'List organizations: slugs, owners, plans',
      {
        searches: 'name, slug or the email of the owner',
        read: listOrganizations,
        columns: {
          SLUG: ({ slug }) => slug,
          NAME: ({ name }) => name,
          OWNER: ({ owner }) => owner,
          MEMBERS: ({ members }) => members,
          STORED: ({ storage_used_bytes }) => sizeOf(storage_used_bytes),
          KEPT: ({ retained_objects }) => retained_objects,
          PLAN: ({ plan_status, plan_expires_at }) =>
            `${plan_status} ${plan_status === 'expired' ? 'since' : 'until'} ${plan_expires_at.slice(0, 10)}`,
        },
      },
      operate,
      stdout,
    ),
  )

  storage.addCommand(
    listCommand(
      'accounts',
      'List accounts of all organizations: email addresses, roles',
      {
        searches: 'name, email or the slug of the organization',
        read: listAccounts,
        columns: {
          EMAIL: ({ email }) => email,
          NAME: ({ full_name }) => full_name,
          ROLE: ({ role }) => role,
          ORGANIZATION: ({ slug }) => slug,
          '2FA': ({ totp_enabled }) => (totp_enabled ? 'on' : ''),
          SINCE: ({ created_at }) => created_at.slice(0, 10),
        },
      },
      operate,
      stdout,
    ),
  )

  const promo = storage.command('promo').description('Promo codes')
  promo.addCommand(
    listCommand(
      'list',
      'List promo codes',
      {
        searches: 'the code',
        read: listPromos,
        columns: {
          CODE: ({ code }) => code,
          MONTHS: ({ months }) => months,
          REDEEMED: ({ uses, max_uses }) => (max_uses === null ? uses : `${uses} of ${max_uses}`),
          ENDS: ({ expires_at }) => expires_at?.slice(0, 10) ?? 'never',
        },
      },
      operate,
      stdout,
    ),
  )
  promo
    .command('end')
    .description('End a promo code: it can no longer be redeemed; what it has extended stays')
    .requiredOption('--code <code>', 'The code; case does not matter')
    .addHelpText('after', examples('trivet storage promo end --code SPRING'))
    .action(({ code }) =>
      operate(async (ctx) => {
        stdout.write(`Promo code ${await endPromo(ctx, code)} has ended.\n`)
      }),
    )
  promo
    .command('create')
    .description('Create a promo code that extends the plan of each organization that redeems it')
    .requiredOption('--code <code>', 'The code; case does not matter')
    .requiredOption('--months <n>', 'How many months it adds', integer)
    .option('--expires <date>', 'The last day on which it can be redeemed, or a time', ending)
    .option('--max-uses <n>', 'How many organizations may redeem it', integer)
    .addHelpText('after', examples('trivet storage promo create --code SPRING --months 3 --max-uses 100'))
    .action((promo) =>
      operate(async (ctx) => {
        stdout.write(`Promo code ${await createPromo(ctx, promo)} is ready.\n`)
      }),
    )

  storage
    .command('plan')
    .description('Plans of organizations')
    .command('set')
    .description("Change an organization's plan")
    .requiredOption('--org <slug>', 'Its slug (see trivet storage organizations)')
    .addOption(
      new Option('--status <status>', 'Its new status').choices(['trial', 'active', 'expired'] as const),
    )
    .option('--expires <date>', 'The last day of the plan, or the time at which it ends', ending)
    .addOption(new Option('--storage-tier <tier>', 'What it may store').choices(codes('storage')))
    .addOption(new Option('--bandwidth-tier <tier>', 'What it may send a month').choices(codes('bandwidth')))
    .addHelpText(
      'after',
      examples('trivet storage plan set --org harbour-studio --status active --expires 2030-01-31'),
    )
    .action(({ org, ...change }) =>
      operate(async (ctx) => {
        if (Object.keys(change).length === 0)
          throw new OperatorError('Nothing to change: give a status, an end or a tier')
        const plan = await setPlan(ctx, org, change)
        const { plan_status, plan_expires_at, storage_tier, bandwidth_tier } = plan
        const when = `${plan_status === 'expired' ? 'since' : 'until'} ${plan_expires_at}`
        stdout.write(`${org}: ${plan_status} ${when}, ${storage_tier}, ${bandwidth_tier}\n`)
      }),
    )

  storage
    .command('bucket')
    .description('The S3 bucket that holds the blobs')
    .command('adopt')
    .description(
      'After a restore: let this system remove what it does not know from the S3 bucket of a system that is gone',
    )
    .addHelpText('after', examples('trivet storage bucket adopt'))
    .action(() =>
      operate(async (ctx) => {
        if (!(await adoptBlobs(ctx))) throw new OperatorError('Blobs are in a folder, which needs no owner.')
        stdout.write('The bucket belongs to this system now.\n')
      }),
    )

  storage.addCommand(importCommand(operate, stdout))
  storage.addCommand(passwordCommand('storage', operate, recovery, stdout))
  return storage
}
