import type { AnyComponent, ComponentType } from 'preact'
import type { EventsOptions, TrivetEvent } from '#sdk/index.ts'
import type { Icon } from '#web/components/button.tsx'

/** Who is signed in. */
export type Identity = {
  user: { id: string; name: string; email: string }
  role: string
  organization: { id?: string; name: string }
}

/** What an address says in the places of `:names`. */
export type Params = Record<string, string>
export type ScreenProps = { params: Params }

/** A page with an address of its own. */
export type Screen = {
  /** Below `/console`: `/buckets/:bucketId`. */
  path: string
  title: string
  /** Its link in the navigation. */
  nav?: { label: string; icon: Icon }
  /** The permission that one needs to open it. */
  needs?: string
  load: () => Promise<AnyComponent<ScreenProps>>
}

export type Credentials = { email: string; password: string; code?: string }

/** Something that the palette finds. */
export type Found = { label: string; detail: string; href: string }

/** What the palette can do from every screen: the button with this name is on the screen to which it leads. */
type Errand = { label: string; path: string; needs?: string }

/** What a service gives to its console. The frame knows nothing else of it. */
export type Console = {
  service: string
  title: string
  session: {
    /** Who is signed in; null if nobody is. */
    read(): Promise<Identity | null>
    signIn(credentials: Credentials): Promise<Identity>
    signOut(): Promise<void>
  }
  /** The roles that have a permission. */
  rolesWith(permission: string): readonly string[]
  screens: Screen[]
  /** Screens for those who are not signed in, with the text of the link to them. */
  guestScreens: (Screen & { link: string })[]
  /** Which screen `/console` is. */
  home: string
  events(options: EventsOptions): AsyncGenerator<TrivetEvent, void>
  /** After events of which types whatever is read under a key is read again; `order.*` stands for all of orders. */
  live: Record<string, readonly string[]>
  errands: Errand[]
  /** Searches whatever the palette cannot know by itself. */
  find(text: string, signal: AbortSignal): Promise<Found[]>
  /** Kept while screens change, such as the panel of uploads. */
  Panel?: ComponentType
}

/** What the page says about this installation. */
const said = () => document.documentElement.dataset

/** What the operator calls it. */
export const instanceName = () => said().instance ?? 'Trivet'

/** Which version of Trivet it runs. */
export const instanceVersion = () => said().version ?? ''

/** Who has the links that people ask for, if it sends no mail. */
export const linkKeeper = () => {
  const { keeper: name, keeperAddress: address } = said()
  return name ? { name, address } : null
}

export const base = '/console'
export const addressOf = (path: string) => (path === '/' ? base : `${base}${path}`)
