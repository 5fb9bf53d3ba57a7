import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Guide } from '#platform/reference/guides/guides.ts'
import { homePolicy, renderHome } from '#platform/reference/home/home-page.ts'
import { accents } from '#platform/web/accents.ts'
import { prefersHtml } from '#platform/web/accepts.ts'
import { favicon, tile } from '#platform/web/icons.ts'
import { markSvg } from '#platform/web/mark.ts'
import type { App } from '../app.ts'
import { keptDocument } from '../response/document.ts'
import type { Service } from '../service.ts'
import { consoleRoutes } from './console.ts'

const options = { schema: { hide: true }, config: { access: 'system' } }
const tileSizes = { 'apple-touch-icon.png': 180, 'icon-192.png': 192, 'icon-512.png': 512 }

/** Who looks again may see the new one after a day. */
const daily = { caching: 'public, max-age=86400' }

const icons = (app: App, { name }: Service) => {
  app.get(
    '/favicon.ico',
    options,
    keptDocument('image/x-icon', () => favicon(name), daily),
  )
  const svg = keptDocument('image/svg+xml', () => markSvg(name), daily)
  app.get('/favicon.svg', options, (req, reply) =>
    svg(req, reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")),
  )
  for (const [file, size] of Object.entries(tileSizes))
    app.get(
      `/${file}`,
      options,
      keptDocument('image/png', () => tile(name, size), daily),
    )
}

const robotsText = ({ robots }: Service['site'], base: string) =>
  [
    'User-agent: *',
    ...(robots.allow ?? []).map((path) => `Allow: ${path}`),
    ...robots.disallow.map((path) => `Disallow: ${path}`),
    ...(robots.sitemap ? ['', `Sitemap: ${base}${robots.sitemap}`] : []),
    '',
  ].join('\n')

/** It has to be renewed at least once a year, which every response does (RFC 9116). */
const validForMs = 180 * 24 * 3600 * 1000

const securityText = (contact: string, base: string, now: Date) =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now.getTime() + validForMs).toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${base}/.well-known/security.txt`,
    '',
  ].join('\n')

const manifestOf = ({ name }: Service, words: object) => ({
  ...words,
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: '#fbfbfa',
  theme_color: accents[name][0],
  icons: [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    { src: '/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any maskable' },
    { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
  ],
})

/** What browsers and robots ask every site for. */
export const siteRoutes = (app: App, service: Service, platform: Platform, guides: Guide[]) => {
  const { config, clock } = platform
  const { name, title, site } = service
  // Known only once the server listens, if it chooses its port itself.
  const base = () => config.urls[name]
  icons(app, service)
  app.get(
    '/robots.txt',
    options,
    keptDocument('text/plain; charset=utf-8', () => robotsText(site, base()), daily),
  )
  const { manifest } = site
  if (manifest)
    app.get('/manifest.webmanifest', options, (_, reply) =>
      reply
        .headers({ 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' })
        .send(Buffer.from(JSON.stringify(manifestOf(service, manifest(platform)), null, 2))),
    )
  const { securityContact } = config
  if (securityContact)
    app.get('/.well-known/security.txt', options, (_, reply) =>
      reply
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' })
        .send(securityText(securityContact, base(), clock.now())),
    )
  const { changePassword, home } = site
  if (changePassword)
    app.get('/.well-known/change-password', options, (_, reply) => reply.redirect(changePassword, 302))
  if (service.console) consoleRoutes(app, service, service.console, platform)
  if (!home) return
  const hasConsole = service.console !== undefined

  const page = keptDocument('text/html; charset=utf-8', () =>
    renderHome(home, { service: name, title, base: base(), guides, hasConsole }),
  )
  const about = (req: FastifyRequest, reply: FastifyReply) =>
    page(req, reply.header('content-security-policy', homePolicy()))
  app.get('/about', options, about)
  app.get('/', options, (req, reply) => {
    if (!prefersHtml(req.headers)) notFound()
    reply.header('vary', 'Accept')
    return hasConsole ? reply.redirect('/console', 302) : about(req, reply)
  })
  for (const path of home.aliases ?? [])
    app.get(path, options, (req, reply) => {
      if (!prefersHtml(req.headers)) notFound()
      return reply.header('vary', 'Accept').redirect('/', 302)
    })
}
