import type { AnyComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Page, wantPageFocus } from '#web/components/page.tsx'
import { Denied, Empty, ErrorState, Skeleton } from '#web/components/states.tsx'
import { addressOf, base, type Console, type Params, type Screen, type ScreenProps } from './console.ts'
import { arrived } from './leaving.ts'
import { matchPath } from './match.ts'
import { useSession } from './session.ts'

const loaded = new Map<Screen['load'], AnyComponent<ScreenProps>>()

/** Loads the script of a screen ahead of time; a failure shows when the screen is opened. */
export const preload = async ({ load }: Screen) => {
  if (!loaded.has(load)) loaded.set(load, await load())
}

export const matchScreen = ({ path }: Screen, at: string) => matchPath(addressOf(path), at)

/** A screen whose script is loaded when it is first shown. Its frame is there at once. */
export function LazyScreen({ screen, params = {} }: { screen: Screen; params?: Params }) {
  const [, update] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const Content = loaded.get(screen.load)
  useEffect(() => {
    if (!Content) preload(screen).then(() => update((n) => n + 1), setError)
  }, [screen])
  if (Content) return <Content params={params} />
  return (
    <Page title={screen.title}>
      {error ? <ErrorState error={error} retry={() => location.reload()} /> : <Skeleton lines={6} />}
    </Page>
  )
}

/** Every component in every state, for whoever builds a screen. */
const showcase: Screen = {
  path: '/components',
  title: 'Components',
  load: () => import('./showcase.tsx').then((m) => m.Showcase),
}
const isDevelopment = () => document.documentElement.dataset.development !== undefined

/** The screen at the current address. */
export function CurrentScreen({ console }: { console: Console }) {
  const { path, url, route } = useLocation()
  const { can } = useSession()
  const isHome = path === base || console.guestScreens.some((one) => matchScreen(one, path))

  useEffect(() => {
    if (isHome) route(addressOf(console.home), true)
  }, [isHome])
  useEffect(() => arrived(url), [url])
  useFocusAfterNavigation(path)

  if (isHome) return null
  for (const screen of isDevelopment() ? [...console.screens, showcase] : console.screens) {
    const params = matchScreen(screen, path)
    if (!params) continue
    if (screen.needs && !can(screen.needs))
      return (
        <Page title={screen.title}>
          <Denied roles={console.rolesWith(screen.needs)} />
        </Page>
      )
    return <LazyScreen key={screen.path} screen={screen} params={params} />
  }
  return (
    <Page title="Page not found">
      <Empty title="There is nothing at this address" text="It may have been moved, or the link is wrong." />
    </Page>
  )
}

/** Readers of a screen hear the heading of the new page; the first one after a load keeps the browser's focus. */
const useFocusAfterNavigation = (path: string) => {
  const [first] = useState(path)
  const [before, setBefore] = useState(path)
  if (before !== path) {
    setBefore(path)
    if (path !== first || before !== first) wantPageFocus()
  }
}
