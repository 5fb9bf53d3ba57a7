import type { Events } from '#events/events.ts'
import type { Publishing } from '../context.ts'
import { asksForAll, identify } from '../guard.ts'
import { envelope } from './envelope.ts'
import { present } from './present.ts'
import { everybody, type Listener, listenerFor, mayRead, owners } from './receivers.ts'
import { query, types } from './schema.ts'
import { findManager, receives } from './store.ts'

/** What happens to an account and its posts, and what those do whom it follows. */
export const events: Events<Publishing, Listener> = {
  types,
  reading: [{ path: '/api/events', access: 'listener', name: 'Events', tags: ['Events'], query }],
  webhooks: {
    path: '/api/webhooks',
    location: '/api/webhooks/{data.id}',
    access: 'user',
    tags: ['Webhooks'],
    limitStatus: 422,
  },
  envelope,
  reader: async (ctx, req) => (asksForAll(req) ? everybody : listenerFor(await identify(ctx, req))),
  async managers(ctx, owner) {
    const found = await findManager(ctx.db.sql, Number(owner))
    if (!found) return { reader: everybody, emails: [] }
    const { email, ...account } = found
    return { reader: listenerFor({ userId: Number(owner), ...account }), emails: [email] }
  },
  owners,
  mayRead,
  receives,
  present,
}
