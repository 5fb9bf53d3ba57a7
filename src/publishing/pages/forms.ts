import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { badRequest, forbidden } from '#platform/errors.ts'
import { cameByHttps } from '#platform/http/headers.ts'
import type { App } from '../access.ts'
import type { Publishing } from '../context.ts'
import type { Visit } from '../sessions/browser.ts'
import type { Reader } from './page.ts'

export const maxFormBytes = 16 * 1024

/** Over https also where a proxy speaks it for us, whether or not it tells. */
export const visitOf = ({ config }: Publishing, req: FastifyRequest): Visit => ({
  cookies: req.headers.cookie,
  isSecure: cameByHttps(config, req) || config.urls.publishing.startsWith('https:'),
})

export const readerOf = (req: FastifyRequest) => req.principal as Reader

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/** Browsers say where a form comes from; whoever says nothing is no browser and has no cookie to abuse. */
export const requireOwnOrigin = ({ headers, host }: FastifyRequest, ownUrl: string) => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isOwn =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === undefined || hostOf(origin) === host || origin === new URL(ownUrl).origin
  if (!isOwn) forbidden('This form was sent from another site')
}

/** Browsers send line ends in pairs. */
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

/** Only in the scope of the pages: bodies are forms, and those for members carry the token of their page. */
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
    if (req.routeOptions.config.access === 'member' && !same(token, readerOf(req)!.formToken))
      forbidden('This form is out of date: go back, reload the page and try again')
  })
}

/** A route that takes a form; what is wrong with it is said on the form again. */
export const form = (body: TSchema) => ({ schema: { hide: true, body }, attachValidation: true })

/** Where a form wants to go on to. */
export const Next = Type.Optional(Type.String({ maxLength: 2_000 }))

/** A path of our own to go on to; anything else would lead people away. */
export const ownPath = (next: string | undefined) => {
  if (!next?.startsWith('/') || !URL.canParse(next, 'http://own')) return '/'
  const { host, pathname, search } = new URL(next, 'http://own')
  return host === 'own' && !pathname.startsWith('//') ? pathname + search : '/'
}
