import type { ServiceName } from '#platform/config.ts'
import type { Service } from '#platform/http/service.ts'

// Loaded when they are needed: a service takes longer to load than most commands to run.
const load = {
  storage: async () => (await import('#storage/app.ts')).storage,
  publishing: async () => (await import('#publishing/app.ts')).publishing,
  inventory: async () => (await import('#inventory/app.ts')).inventory,
}
const names = Object.keys(load) as ServiceName[]

/** Those with a console, known without loading them. */
const withConsole: readonly string[] = ['storage', 'inventory']

/** The address of the console of a service, if it has one. */
export const consoleUrl = (name: string, url: string) =>
  withConsole.includes(name) ? `${url}/console` : undefined

/** One service, with the type of its context. */
export const loadService = <Name extends ServiceName>(name: Name) =>
  load[name]() as ReturnType<(typeof load)[Name]>

/** Several services, or all of them. */
export const loadServices = async (wanted: readonly ServiceName[] = names) =>
  (await Promise.all(wanted.map((name) => load[name]()))) as unknown as Service[]

/** The blobs that each of them refers to. */
export const heldBlobs = async () => [
  (await import('#storage/blobs/held.ts')).held,
  (await import('#publishing/pictures/held.ts')).held,
]

/** Every schema is kept up to date, whichever services a process serves. */
export const migrations = names.map((name) => ({
  schema: name,
  folder: new URL(`./${name}/`, import.meta.url),
}))
