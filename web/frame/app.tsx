import { QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { LocationProvider } from 'preact-iso'
import { Confirmations } from '#web/components/confirm.tsx'
import { siteName } from '#web/components/page.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { Toasts } from '#web/components/toast.tsx'
import { onReturn } from './connection.ts'
import { base, type Console, instanceName } from './console.ts'
import { Guest } from './guest.tsx'
import { guardUnsaved } from './leaving.ts'
import { queries } from './queries.ts'
import { recheckSession, startSession, state } from './session.ts'
import { Shell } from './shell.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { StatusLine } from './status-line.tsx'
import { startTheme } from './theme.ts'

/** Shows the console of a service. */
export const startConsole = (console: Console) => {
  startTheme()
  guardUnsaved()
  siteName.value = `${instanceName()} ${console.title}`
  const place = document.getElementById('console') ?? document.body
  render(<App console={console} />, place)
  void startSession(console)
}

const App = ({ console }: { console: Console }) => {
  useEffect(() => onReturn(() => void queries.invalidateQueries()), [])
  useEffect(() => {
    addEventListener('focus', recheckSession)
    return () => removeEventListener('focus', recheckSession)
  }, [])
  return (
    <QueryClientProvider client={queries}>
      <LocationProvider scope={base}>
        <StatusLine />
        <Content console={console} />
        <SignInAgain />
        <Confirmations />
        <Toasts />
      </LocationProvider>
    </QueryClientProvider>
  )
}

const Content = ({ console }: { console: Console }) => {
  const now = state.value
  if (now.kind === 'loading') return null
  if (now.kind === 'failed')
    return (
      <main class="lonely">
        <ErrorState error={now.error} retry={() => startSession(console)} />
      </main>
    )
  return now.kind === 'in' ? <Shell key={now.who.user.id} console={console} /> : <Guest console={console} />
}
