import { timingSafeEqual } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { badRequest, forbidden } from '#platform/errors.ts'
import { type App, member } from '../access.ts'

export const maxFormBytes = 16 * 1024

/** Browsers send line breaks as CRLF. */
const parseForm = (text: string): Record<string, string> => {
  const entered = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(entered.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]))
  if (Object.values(fields).some((value) => value.includes('\0')))
    badRequest('Text must not contain NUL characters')
  return fields
}

const same = (given: string, own: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(own)]
  return a.length === b.length && timingSafeEqual(a, b)
}

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
    const { token = '' } = req.body as Record<string, string>
    if (req.routeOptions.config.access === 'member' && !same(token, member(req).formToken))
      forbidden('This form is out of date: go back, reload the page and try again')
  })
}

/** Options of a route that takes a form; validation errors are shown on the form, see `submit`. */
export const form = (body: TSchema) => ({ schema: { hide: true, body }, attachValidation: true })

/** Where to go after a form. */
export const Next = Type.Optional(Type.String({ maxLength: 2_000 }))

/** A path of our own; anything else would be an open redirect. */
export const ownPath = (next: string | undefined) => {
  if (!next?.startsWith('/') || !URL.canParse(next, 'http://own')) return '/'
  const { host, pathname, search } = new URL(next, 'http://own')
  return host === 'own' && !pathname.startsWith('//') ? pathname + search : '/'
}
