import { createStorage, TrivetError } from '#sdk/index.ts'
import type { Console, Identity } from '#web/frame/console.ts'
import { watchedFetch } from '#web/frame/guarded-fetch.ts'
import { endSession } from '#web/frame/sign-out.ts'
import type { Account } from './api.ts'

/** Without the guard, which would ask for the password that these requests are about. */
const api = createStorage({ baseUrl: location.origin, session: true, fetch: watchedFetch })

/** What is too short for a password is a wrong one. */
const isTooShort = (error: unknown) =>
  error instanceof TrivetError &&
  error.status === 400 &&
  error.fields.some(({ field }) => field === 'password')

const identityOf = ({ user, organization }: Account): Identity => ({
  user: { id: user.id, name: user.full_name, email: user.email },
  role: user.role,
  organization: { name: organization.name },
})

export const session: Console['session'] = {
  async read() {
    const { data } = await api.GET('/auth/session')
    return data ? identityOf(data) : null
  },
  async signIn(body) {
    const { data } = await api.POST('/auth/session', { body }).catch((error) => {
      throw isTooShort(error) ? new Error('Invalid email or password') : error
    })
    return identityOf(data)
  },
  signOut: () => endSession(() => api.DELETE('/auth/session')),
}
