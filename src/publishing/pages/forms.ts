import type { FastifyRequest } from 'fastify'
import { AppError, badRequest } from '#platform/errors.ts'
import { type TSchema, Type } from '#platform/type/type.ts'
import { type App, member } from '../access.ts'
import type { Member } from '../context.ts'
import { isSameFormToken } from '../sessions/form-token.ts'

export const maxFormBytes = 16 * 1024

/** Browsers send line breaks as CRLF. */
const parseForm = (text: string): Record<string, string> => {
  const entered = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(entered.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]))
  if (Object.values(fields).some((value) => value.includes('\0')))
    badRequest('Text must not contain NUL characters')
  return fields
}

export const staleForm =
  'This page was out of date, so nothing has been saved. Check what you entered and send it again.'

const tokenIn = (req: FastifyRequest) => (req.body as { token?: string }).token ?? ''

/** Whether a form came from one of our own pages, for the session that is signed in now. */
export const hasOwnToken = (req: FastifyRequest, { formToken }: Member) =>
  isSameFormToken(tokenIn(req), formToken)

/** In the scope of the pages, bodies are forms, and those of members contain the form token. */
export const acceptForms = (app: App) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_, body, done) => {
      try {
        done(null, parseForm(String(body)))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.addHook('preValidation', async (req) => {
    if (req.method !== 'POST') return
    req.body ??= {}
    if (req.routeOptions.config.access === 'member' && !hasOwnToken(req, member(req)))
      throw new AppError(403, 'This page was out of date, so nothing has changed. Go back and try again.', {
        code: 'stale_form',
      })
  })
}

/** Options of a route that takes a form; validation errors are shown on the form, see `submit`. */
export const form = (body: TSchema) => ({ schema: { hide: true, body }, attachValidation: true })

export const maxPathLength = 2_000

/** Where to go after a form. */
export const Next = Type.Optional(Type.String({ maxLength: maxPathLength }))

/** A path of our own; anything else would be an open redirect. */
export const ownPath = (next: string | undefined, otherwise = '/') => {
  if (!next?.startsWith('/') || !URL.canParse(next, 'http://own')) return otherwise
  const { host, pathname, search, hash } = new URL(next, 'http://own')
  return host === 'own' && !pathname.startsWith('//') ? pathname + search + hash : otherwise
}

/** The page that a form was sent from, if it was one of ours. */
export const pathBefore = ({ headers: { referer = '' }, host }: Pick<FastifyRequest, 'headers' | 'host'>) => {
  if (!URL.canParse(referer)) return null
  const { host: from, pathname, search } = new URL(referer)
  return from === host ? ownPath(pathname + search) : null
}
