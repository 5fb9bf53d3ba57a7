import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#platform/config.ts'
import { forbidden } from '#platform/errors.ts'
import { cameByHttps } from '#platform/http/headers.ts'

/** What a session needs to know of a browser's request: its cookies, and whether it came over HTTPS. */
export type Visit = { cookies: string | undefined; isSecure: boolean }

type Request = { headers: IncomingHttpHeaders; host: string }

/** A public address with https means a proxy that terminates TLS, whether or not it says so in a header. */
export const visitOf = (config: Config, { headers }: Pick<Request, 'headers'>): Visit => ({
  cookies: headers.cookie,
  isSecure: cameByHttps(config, { headers }) || config.urls.publishing.startsWith('https:'),
})

const plainName = 'trivet_publishing'
// Browsers accept a cookie of this name only from this very host over HTTPS and for all its paths. No other host of the
// domain, and nobody on the network, can plant a session of their own.
const secureName = `__Host-${plainName}`

const nameOf = ({ isSecure }: Visit) => (isSecure ? secureName : plainName)

/** A `Set-Cookie` header; with an age of 0 it deletes the cookie. */
export const sessionCookie = (visit: Visit, token: string, maxAgeSeconds: number) =>
  `${nameOf(visit)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${visit.isSecure ? '; Secure' : ''}`

export const sessionTokenIn = (visit: Visit) => {
  const prefix = `${nameOf(visit)}=`
  const cookies = (visit.cookies ?? '').split(';').map((each) => each.trim())
  const value = cookies.find((each) => each.startsWith(prefix))?.slice(prefix.length)
  return value !== undefined && /^[\w-]{20,100}$/.test(value) ? value : undefined
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/** Browsers say where a form comes from. A client that does not is no browser, and has no cookie to be abused. */
export const requireOwnOrigin = ({ headers, host }: Request, ownUrl: string) => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isOwn =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === undefined || hostOf(origin) === host || origin === new URL(ownUrl).origin
  if (!isOwn) forbidden('This form was sent from another site')
}
