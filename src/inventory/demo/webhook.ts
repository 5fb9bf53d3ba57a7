import { receiverUrl } from '#events/webhooks/receiver.ts'
import { logIn } from '../accounts/accounts.ts'
import type { Inventory } from '../context.ts'
import { happenings } from '../events/events.ts'
import { admin } from './people.ts'

/** The secret of the demo's webhook to this machine, which is created if there is none. */
const secretOfWebhook = async (ctx: Inventory) => {
  const webhooks = happenings.webhooks(ctx)
  const { user, tenant } = await logIn(ctx, { email: admin.login, password: admin.password }, '')
  const principal = { userId: user.id, tenantId: tenant.id, role: user.role, ip: '' }
  const me = { owner: String(tenant.id), me: principal }
  const known = (await webhooks.list(me)).find(({ url }) => url === receiverUrl)
  const { secret } = known
    ? await webhooks.rotate(me, known.id)
    : await webhooks.create(me, { url: receiverUrl, description: 'The receiver of `trivet receive`' })
  return secret
}

/** How to see the demo's events arrive on this machine. */
export const demoHints = async (ctx: Inventory): Promise<string[]> =>
  ctx.config.webhooksAllowPrivate
    ? [
        'To see its events arrive, run in another terminal:',
        `  npx trivet receive --secret ${await secretOfWebhook(ctx)}`,
      ]
    : ['To try webhooks to this machine, serve with WEBHOOKS_ALLOW_PRIVATE=on and run trivet demo again.']
