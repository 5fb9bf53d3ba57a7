import { createInventory } from '#sdk/index.ts'
import type { Console, Identity } from '#web/frame/console.ts'
import { watchedFetch } from '#web/frame/guarded-fetch.ts'
import { endSession } from '#web/frame/sign-out.ts'
import type { Account } from './api.ts'

/** Without the guard, which would ask for the password that these requests are about. */
const api = createInventory({ baseUrl: location.origin, session: true, fetch: watchedFetch })

const identityOf = ({ user, tenant }: Account): Identity => ({
  user: { id: String(user.id), name: user.name, email: user.email },
  role: user.role,
  organization: { id: String(tenant.id), name: tenant.name },
})

export const session: Console['session'] = {
  async read() {
    const { data } = await api.GET('/api/auth/session')
    return data ? identityOf(data) : null
  },
  async signIn({ email, password }) {
    const { data } = await api.POST('/api/auth/session', { body: { email, password } })
    return identityOf(data)
  },
  signOut: () => endSession(() => api.DELETE('/api/auth/session')),
}
