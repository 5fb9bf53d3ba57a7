import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, InvalidInput, type Problem } from '#platform/errors.ts'
import { reader } from '../access.ts'
import { newNonce, type Page, pageHeaders, renderPage } from './page.ts'

export const sendPage = (req: FastifyRequest, reply: FastifyReply, page: Page) => {
  const nonce = newNonce()
  const { q } = req.query as { q?: string }
  reply.headers(pageHeaders(nonce)).header('vary', 'Cookie')
  if (!reader(req)) reply.header('cache-control', 'private, no-cache')
  return renderPage(page, { reader: reader(req), path: req.url, ...(q ? { query: q } : {}) }, nonce)
}

/** 303: the browser gets another page. */
export const redirect = (reply: FastifyReply, path: string) => {
  reply.code(303).header('location', path)
  return ''
}

/** The labels of fields on forms. */
const labels: Record<string, string> = {
  content: 'Your text',
  username: 'Name',
  name: 'Name',
  handle: 'Handle',
  email: 'Email',
  password: 'Password',
  current_password: 'Current password',
  new_password: 'New password',
  token: 'The link',
  bio: 'About you',
  location: 'Place',
  website: 'Website',
  avatar_url: 'Picture',
  banner_url: 'Banner',
}

/** Instead of messages that quote a pattern. */
const plainly: Record<string, string> = { handle: 'must have letters, digits and underscores only' }

const reasonOf = ({ field, reason }: Problem) =>
  reason.startsWith('must match pattern') ? (plainly[field] ?? 'is not valid') : reason

const inWords = (error: AppError) =>
  error instanceof InvalidInput && error.details
    ? error.details
        .map((problem) => `${labels[problem.field] ?? problem.field} ${reasonOf(problem)}`)
        .join('; ')
    : error.message

/** Runs what a form is for. If that fails, the form is shown again with the reason and what was entered. */
export const submit = async (
  req: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<string>,
  formWith: (problem: string) => Page | Promise<Page>,
) => {
  try {
    if (req.validationError) throw req.validationError
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const page = await formWith(inWords(error))
    reply.code(error instanceof InvalidInput ? 422 : error.status).headers(error.headers)
    return sendPage(req, reply, page)
  }
}
