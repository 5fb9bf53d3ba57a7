import type { IncomingHttpHeaders } from 'node:http'
import type { Config, ServiceName } from '#platform/config.ts'
import { cameByHttps } from '#platform/http/response/headers.ts'
import { hashOneTimeToken } from './one-time.ts'

/** What a session needs to know of a browser's request: its cookies, and whether it came over HTTPS. */
export type Visit = { cookies: string | undefined; isSecure: boolean }

/** A session as a cookie presents it, whether or not there is such a session. */
export type PresentedSession = { token: string; hash: Buffer; name: string }

/** More than browsers keep for one host. */
const maxPresented = 200

/** The first that holds. `existing`: those that are known, asked at once and only if there are several. */
export const firstSession = async <Found>(
  presented: PresentedSession[],
  {
    existing,
    open,
  }: {
    existing(hashes: Buffer[]): Promise<{ hash: Buffer }[]>
    open(session: PresentedSession): Promise<Found | undefined>
  },
): Promise<Found | undefined> => {
  const known =
    presented.length > 1 ? (await existing(presented.map(({ hash }) => hash))).map(({ hash }) => hash) : null
  for (const session of presented) {
    const mayHold = known === null || known.some((hash) => hash.equals(session.hash))
    const found = mayHold ? await open(session) : undefined
    if (found) return found
  }
  return undefined
}

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

    /**
     * What the cookies of this name hold. There are several if something else on this host, or on another one of its
     * domain, has set some, too. Those come first that are likelier ours: browsers send cookies for longer paths before
     * others, and ours have the shortest path.
     */
    presentedIn(visit: Visit): PresentedSession[] {
      const prefix = `${nameOf(visit)}=`
      const cookies = (visit.cookies ?? '').split(';').map((each) => each.trim())
      const values = cookies
        .filter((each) => each.startsWith(prefix))
        .map((each) => each.slice(prefix.length))
        .filter((value) => /^[\w-]{43}$/.test(value))
      return [...new Set(values.reverse())].slice(0, maxPresented).map((token) => {
        const hash = hashOneTimeToken(token)
        return { token, hash, name: hash.toString('base64') }
      })
    },
  }
}
