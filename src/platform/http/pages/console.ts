import { randomBytes } from 'node:crypto'
import { extname } from 'node:path'
import { type Console, consoleFiles } from '#platform/console/console.ts'
import { consolePolicy, consoleShell } from '#platform/console/shell.ts'
import { notFound } from '#platform/errors.ts'
import { linkKeeper } from '#platform/instance/link-keeper.ts'
import type { Platform } from '#platform/platform.ts'
import type { App } from '../app.ts'
import { keptBody } from '../response/document.ts'
import { isTrustworthy } from '../response/headers.ts'
import { cameraPolicy } from '../response/page-headers.ts'
import type { Service } from '../service.ts'

const options = { schema: { hide: true }, config: { access: 'system' } }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** For all servers of this process, by the script that they show. */
const consoles = new Map<string, ReturnType<typeof consoleFiles>>()
/** By name, which is the hash of the content. */
const bodies = new Map<string, ReturnType<typeof keptBody>>()

/** The console of a service: one page for all of its addresses, and the files that it loads. */
export const consoleRoutes = (
  app: App,
  { name: service }: Service,
  console: Console,
  { config, instance, mailer }: Platform,
) => {
  const { isDevelopment } = config
  const files = consoles.getOrInsertComputed(console.entry.href, () => consoleFiles(console))

  for (const path of ['/console', '/console/*'])
    app.get(path, options, async (req, reply) => {
      const bundle = await files.latest({ isFresh: isDevelopment })
      const nonce = randomBytes(16).toString('base64url')
      reply.removeHeader('access-control-allow-origin')
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': consolePolicy(nonce, console),
          ...(console.readsCodes ? { 'permissions-policy': cameraPolicy } : {}),
          ...(isTrustworthy(config, req) ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
        })
        .send(
          consoleShell({
            service,
            name: instance.current.name,
            keeper: linkKeeper({ mailer, instance }),
            nonce,
            bundle,
            isDevelopment,
          }),
        )
    })

  app.get('/console/assets/*', options, async (req, reply) => {
    const { '*': name } = req.params as { '*': string }
    const file = (await files.find(name)) ?? notFound('This console has no such file')
    const keeping = { caching: 'public, max-age=31536000, immutable', etag: `"${name}"` }
    const keep = () => keptBody(types[extname(name)] as string, file, keeping)
    return bodies.getOrInsertComputed(name, keep)(req, reply)
  })
}
