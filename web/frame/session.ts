import { signal } from '@preact/signals'
import { isSame } from '#web/components/changes.ts'
import { forgetUnsaved } from '#web/components/unsaved.ts'
import type { Console, Credentials, Identity } from './console.ts'
import { queries } from './queries.ts'

type State =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'out' }
  | { kind: 'in'; who: Identity }

export const state = signal<State>({ kind: 'loading' })
/** Set while the user is asked for the password again; resolved with whether the same user is signed in. */
export const asking = signal<{ who: Identity; answer(isBack: boolean): void } | null>(null)

let console: Console

export const isSignedIn = () => state.value.kind === 'in'

/** Reads who is signed in, when the page is loaded. */
export const startSession = async (of: Console) => {
  console = of
  state.value = { kind: 'loading' }
  try {
    const who = await console.session.read()
    state.value = who ? { kind: 'in', who } : { kind: 'out' }
  } catch (error) {
    state.value = { kind: 'failed', error }
  }
}

export const signIn = async (credentials: Credentials) => {
  const who = await console.session.signIn(credentials)
  queries.clear()
  state.value = { kind: 'in', who }
}

/** Ends the session on the server first: whoever sees the page for signing in has no session any more. */
export const signOut = async () => {
  await console.session.signOut()
  leave()
}

const leave = () => {
  forgetUnsaved()
  queries.clear()
  state.value = { kind: 'out' }
  asking.value = null
}

let check: Promise<boolean> | null = null

/**
 * Called after a 401. The session may be there all the same, as with a wrong current password; otherwise the user is
 * asked for the password. Returns whether the request is worth repeating.
 */
export const signInAgain = (): Promise<boolean> => {
  check ??= askAgain().finally(() => {
    check = null
  })
  return check
}

const askAgain = async () => {
  if (state.value.kind !== 'in') return false
  const { who } = state.value
  if (await console.session.read()) return false
  return new Promise<boolean>((resolve) => {
    asking.value = {
      who,
      answer(isBack) {
        asking.value = null
        if (!isBack) leave()
        resolve(isBack)
      },
    }
  })
}

/** Signs the same user in again, in place. */
export const renewSession = async (password: string, code: string) => {
  const asked = asking.value
  if (!asked) return
  const who = await console.session.signIn({
    email: asked.who.user.email,
    password,
    ...(code ? { code } : {}),
  })
  state.value = { kind: 'in', who }
  asked.answer(true)
}

/** Reads again who is signed in, after a change of the name or the role. */
export const refreshSession = async () => {
  const who = await console.session.read()
  const before = state.value
  if (!who || before.kind !== 'in' || isSame(who, before.who)) return
  state.value = { kind: 'in', who }
}

let isRechecking = false

/** The same where somebody else may have changed one's role. If it fails, the next occasion is as good. */
export const recheckSession = async () => {
  if (isRechecking || !isSignedIn()) return
  isRechecking = true
  await refreshSession().catch(() => {})
  isRechecking = false
}

/** Who is signed in, and what they may do. Only for screens that are shown after signing in. */
export const useSession = () => {
  if (state.value.kind !== 'in') throw new Error('Nobody is signed in')
  const { who } = state.value
  return { ...who, can: (permission: string) => console.rolesWith(permission).includes(who.role) }
}
