import type { IncomingHttpHeaders } from 'node:http'
import type { Config, ServiceName } from '#platform/config.ts'
import { cameByHttps } from '#platform/http/headers.ts'

/** What a session needs to know of a browser's request: its cookies, and whether it came over HTTPS. */
export type Visit = { cookies: string | undefined; isSecure: boolean }

/** The cookie that holds the session of a browser with one service. */
export const sessionCookie = (service: ServiceName, sameSite: 'Strict' | 'Lax') => {
  const plainName = `trivet_${service}`
  // Browsers accept a cookie of this name only from this very host over HTTPS and for all its paths. No other host of
  // the domain, and nobody on the network, can plant a session of their own.
  const secureName = `__Host-${plainName}`
  const nameOf = ({ isSecure }: Visit) => (isSecure ? secureName : plainName)
  return {
    /** A public address with https means a proxy that terminates TLS, whether or not it says so in a header. */
    visitOf: (config: Config, { headers }: { headers: IncomingHttpHeaders }): Visit => ({
      cookies: headers.cookie,
      isSecure: cameByHttps(config, { headers }) || config.urls[service].startsWith('https:'),
    }),

    /** A `Set-Cookie` header; with an age of 0 it deletes the cookie. */
    header: (visit: Visit, token: string, maxAgeSeconds: number) =>
      `${nameOf(visit)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${visit.isSecure ? '; Secure' : ''}`,

    tokenIn(visit: Visit) {
      const prefix = `${nameOf(visit)}=`
      const cookies = (visit.cookies ?? '').split(';').map((each) => each.trim())
      const value = cookies.find((each) => each.startsWith(prefix))?.slice(prefix.length)
      return value !== undefined && /^[\w-]{20,100}$/.test(value) ? value : undefined
    },
  }
}
