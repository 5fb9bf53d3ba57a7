import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, InvalidInput, type Problem } from '#platform/errors.ts'
import { readerOf } from './forms.ts'
import { newNonce, type Page, pageHeaders, renderPage } from './page.ts'

/** A page, in the frame of every page. */
export const show = (req: FastifyRequest, reply: FastifyReply, page: Page) => {
  const nonce = newNonce()
  const { q } = req.query as { q?: string }
  const reader = readerOf(req)
  reply.headers(pageHeaders(nonce)).header('vary', 'Cookie')
  if (!reader) reply.header('cache-control', 'private, no-cache')
  return renderPage(page, { reader, path: req.url, ...(q ? { query: q } : {}) }, nonce)
}

/** On to another page of ours, which the browser then asks for. */
export const goTo = (reply: FastifyReply, path: string) => {
  reply.code(303).header('location', path)
  return ''
}

/** What fields are called on forms. */
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

/** Patterns are for programs. */
const plainly: Record<string, string> = { handle: 'must have letters, digits and underscores only' }

const reasonOf = ({ field, reason }: Problem) =>
  reason.startsWith('must match pattern') ? (plainly[field] ?? 'is not valid') : reason

const inWords = (error: AppError) =>
  error instanceof InvalidInput && error.details
    ? error.details
        .map((problem) => `${labels[problem.field] ?? problem.field} ${reasonOf(problem)}`)
        .join('; ')
    : error.message

/** Does what a form asks for; what can be put right is said on the form again, with what was entered. */
export const attempt = async (
  req: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<string>,
  again: (problem: string) => Page | Promise<Page>,
) => {
  try {
    if (req.validationError) throw req.validationError
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const page = await again(inWords(error))
    reply.code(error instanceof InvalidInput ? 422 : error.status).headers(error.headers)
    return show(req, reply, page)
  }
}
