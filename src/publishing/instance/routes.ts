import { Named, Nullable } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { version } from '#platform/version.ts'
import type { Module } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { legalPages, logoUrl } from './instance.ts'

const Instance = Named('Instance', {
  name: Type.String(),
  description: Type.String(),
  language: Type.String({ description: 'Of what people write here, as in `pt-BR`' }),
  color: Nullable(Type.String()),
  contact: Nullable(Type.String({ description: 'A `mailto:` or https address' })),
  logo_url: Nullable(Type.String()),
  pages: Type.Array(Type.Object({ title: Type.String(), url: Type.String() }), {
    description: 'Rules, privacy policy and imprint, as far as there are any',
  }),
})

const nodeInfoPath = '/nodeinfo/2.1'
const nodeInfoSchema = 'http://nodeinfo.diaspora.software/ns/schema/2.1'

/** What programs ask about the instance. */
export const instance: Module = (app, ctx) => {
  const base = () => ctx.config.urls.publishing

  app.get(
    '/api/instance',
    {
      schema: {
        operationId: 'getInstance',
        summary: 'Get the instance',
        description: 'Returns what the operator calls this server, and says about it.',
        tags: ['System'],
        response: { 200: Ok(Type.Object({ instance: Instance })) },
      },
      config: { access: 'public' },
    },
    () => {
      const { name, description, language, color, contact } = ctx.instance.current
      const pages = legalPages(ctx.instance.current).map(({ title, path }) => ({ title, url: base() + path }))
      const logo_url = logoUrl(ctx)
      return ok({ instance: { name, description, language, color, contact, logo_url, pages } })
    },
  )

  app.get('/.well-known/nodeinfo', { schema: { hide: true }, config: { access: 'public' } }, (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .send({ links: [{ rel: nodeInfoSchema, href: base() + nodeInfoPath }] }),
  )

  app.get(nodeInfoPath, { schema: { hide: true }, config: { access: 'public' } }, (_, reply) => {
    const { name, description } = ctx.instance.current
    return reply
      .headers({
        'content-type': `application/json; profile="${nodeInfoSchema}#"`,
        'cache-control': 'public, max-age=3600',
      })
      .send(
        JSON.stringify({
          version: '2.1',
          software: { name: 'trivet', version },
          // Neither posts nor people leave this server by themselves, except in feeds.
          protocols: [],
          services: { inbound: [], outbound: ['atom1.0', 'rss2.0'] },
          openRegistrations: true,
          usage: { users: {} },
          metadata: { nodeName: name, nodeDescription: description },
        }),
      )
  })
}
