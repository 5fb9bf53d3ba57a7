import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, InvalidInput } from '#platform/errors.ts'
import { closeGently } from '#platform/http/server/unread-body.ts'
import type { InstanceSettings } from '#platform/instance/instance.ts'
import type { Html } from '#platform/web/html.ts'
import { reader } from '../access.ts'
import { type Problems, problemsOf } from './fields.ts'
import { newNonce, type Page, pageHeaders, renderPage } from './page.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the frame of every page shows. */
    instance: InstanceSettings
  }
}

export const sendPage = (req: FastifyRequest, reply: FastifyReply, page: Page) => {
  const nonce = newNonce()
  const { q } = req.query as { q?: string }
  reply.headers(pageHeaders(nonce)).header('vary', 'Cookie')
  if (!reader(req)) reply.header('cache-control', 'private, no-cache')
  const surroundings = {
    reader: reader(req),
    path: req.url,
    instance: req.server.instance.current,
    ...(q ? { query: q } : {}),
  }
  return renderPage(page, surroundings, nonce)
}

/** 303: the browser gets another page. */
export const redirect = (reply: FastifyReply, path: string) => {
  reply.code(303).header('location', path)
  return ''
}

/** A part of a page, for a script that puts it in the place of the old one. */
export const sendPart = (reply: FastifyReply, part: Html | null) => {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  return String(part ?? '')
}

/** The part of the page that a script wants instead of a redirect, by its class. */
export const partWanted = ({ headers }: FastifyRequest) => headers['x-part']

/** Runs what a form is for. If that fails, the form is shown again with the reason and what was entered. */
export const submit = async (
  req: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<string>,
  formWith: (problems: Problems) => Page | Promise<Page>,
) => {
  try {
    if (req.validationError) throw req.validationError
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error.headers.connection === 'close') closeGently(req.raw)
    const page = await formWith(problemsOf(error))
    reply.code(error instanceof InvalidInput ? 422 : error.status).headers(error.headers)
    return sendPage(req, reply, page)
  }
}
