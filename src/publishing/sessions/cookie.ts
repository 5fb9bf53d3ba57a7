import type { IncomingHttpHeaders } from 'node:http'
import { sessionCookie } from '#platform/auth/session-cookie.ts'
import { forbidden } from '#platform/errors.ts'

export type { Visit } from '#platform/auth/session-cookie.ts'

/** Lax, so that a link from elsewhere opens a page as one who is signed in. */
export const cookie = sessionCookie('publishing', 'Lax')
export const { visitOf } = cookie

type Request = { headers: IncomingHttpHeaders; host: string }

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
