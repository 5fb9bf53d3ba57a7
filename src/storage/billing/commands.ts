import { type Command, command, OperatorError } from '#platform/cli.ts'
import type { Storage } from '../context.ts'
import { createPromo, setPlan } from './operate.ts'
import { tiers } from './tiers.ts'

const codes = (kind: keyof typeof tiers) => tiers[kind].map(({ code }) => code)

type Operate = (work: (ctx: Storage) => Promise<void>) => Promise<void>

export const billingCommands = (operate: Operate): Command[] => [
  command({
    words: ['storage', 'promo', 'create'],
    summary: 'Make a promo code that extends the plan of each organization that redeems it',
    options: {
      code: { type: 'string', value: 'C', required: true, description: 'The code; case does not matter' },
      months: { type: 'integer', required: true, description: 'How many months it adds' },
      expires: { type: 'date', description: 'From when on it can no longer be redeemed' },
      maxUses: { type: 'integer', description: 'How many organizations may redeem it' },
    },
    examples: ['trivet storage promo create --code SPRING --months 3 --max-uses 100'],
    run: ({ code, months, expires, maxUses }) =>
      operate(async (ctx) => {
        const made = await createPromo(ctx, { code, months, expires, maxUses })
        process.stdout.write(`Promo code ${made} is ready.\n`)
      }),
  }),
  command({
    words: ['storage', 'plan', 'set'],
    summary: "Change an organization's plan",
    options: {
      org: { type: 'string', value: 'SLUG', required: true, description: 'The slug of the organization' },
      status: { type: 'string', choices: ['trial', 'active', 'expired'], description: 'Its new status' },
      expires: { type: 'date', description: 'When the plan ends' },
      storageTier: { type: 'string', choices: codes('storage'), description: 'What it may store' },
      bandwidthTier: { type: 'string', choices: codes('bandwidth'), description: 'What it may send a month' },
    },
    examples: ['trivet storage plan set --org harbour-studio --status active --expires 2030-01-31'],
    run: ({ org, status, expires, storageTier, bandwidthTier }) =>
      operate(async (ctx) => {
        if (!status && !expires && !storageTier && !bandwidthTier)
          throw new OperatorError('Nothing to change: give a status, an end or a tier')
        const plan = await setPlan(ctx, org, { status, expires, storageTier, bandwidthTier })
        const { plan_status, plan_expires_at, storage_tier, bandwidth_tier } = plan
        const when = `${plan_status === 'expired' ? 'since' : 'until'} ${plan_expires_at}`
        process.stdout.write(`${org}: ${plan_status} ${when}, ${storage_tier}, ${bandwidth_tier}\n`)
      }),
  }),
]
