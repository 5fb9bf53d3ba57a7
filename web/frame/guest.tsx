import { useLocation } from 'preact-iso'
import { addressOf, type Console, instanceName } from './console.ts'
import { Mark } from './mark.tsx'
import { LazyScreen, matchScreen } from './screens.tsx'
import { SignIn } from './sign-in.tsx'

/** What people see who are not signed in: signing in, at whatever address they came to, and a few public screens. */
export function Guest({ console }: { console: Console }) {
  const { path } = useLocation()
  const screen = console.guestScreens.find((one) => matchScreen(one, path))
  return (
    <main class="guest">
      <p class="guest-brand">
        <Mark size={32} />
        <span>
          {instanceName()} <span>{console.title}</span>
        </span>
      </p>
      <div class="guest-card">{screen ? <LazyScreen key={screen.path} screen={screen} /> : <SignIn />}</div>
      <ul class="guest-links">
        {screen && (
          <li>
            <a href={addressOf('/')}>Sign in</a>
          </li>
        )}
        {console.guestScreens
          .filter((one) => one !== screen)
          .map(({ path: to, link }) => (
            <li key={to}>
              <a href={addressOf(to)}>{link}</a>
            </li>
          ))}
      </ul>
    </main>
  )
}
