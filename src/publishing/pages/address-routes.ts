import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../access.ts'

const options = { schema: { hide: true }, config: { access: 'page' } } as const

/** Addresses of pages with a slash at the end, or with the @ in its escaped form, as some programs share them. */
const misspelt = [
  '/@:handle/',
  '/@:handle/:part/',
  '/@:handle/:part/:list/',
  // The router compares parameters when they are decoded. A literal @ is matched by the routes of the pages.
  '/:escaped(^@.+$)',
  '/:escaped(^@.+$)/*',
  '/tags/:tag/',
  '/home/',
  '/search/',
  '/compose/',
  '/settings/',
  '/sign-in/',
  '/sign-up/',
]

const withoutSlashesAtEnd = (path: string) => {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

const corrected = (url: string) => {
  const [path = '', ...query] = url.split('?')
  const own = withoutSlashesAtEnd(path.replace(/^\/%40/, '/@'))
  return [own, ...query].join('?')
}

const redirectToOwn = async (req: FastifyRequest, reply: FastifyReply) => {
  reply.code(308).header('location', corrected(req.url)).header('cache-control', 'private, no-cache')
  return ''
}

/** Redirects misspelt addresses to those of the pages. */
export const addressRoutes = (app: App) => {
  for (const path of misspelt) app.get(path, options, redirectToOwn)
}
