import { Type } from 'typebox'
import { notFound } from '#platform/errors.ts'
import { Named, OneOf } from '#platform/http/schema.ts'
import type { Module } from '../access.ts'
import { asXml, embedOf } from './oembed.ts'

const size = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }))
const OEmbedQuery = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'The address of a profile or a post' }),
  format: OneOf(['json', 'xml'], { default: 'json' }),
  maxwidth: size,
  maxheight: size,
})

const OEmbed = Named('OEmbed', {
  version: Type.Literal('1.0'),
  type: Type.Literal('rich'),
  provider_name: Type.String(),
  provider_url: Type.String(),
  author_name: Type.String(),
  author_url: Type.String(),
  title: Type.String(),
  html: Type.String(),
  width: Type.Integer(),
  height: Type.Union([Type.Integer(), Type.Null()]),
  cache_age: Type.Integer(),
})

export const oembed: Module = (app, ctx) => {
  app.get(
    '/oembed',
    {
      schema: {
        operationId: 'getOEmbed',
        summary: 'Get oEmbed data',
        description:
          'Returns how to show a profile or a post on another site, as oEmbed 1.0. The `url` must be an ' +
          'address of a profile or a post on this site; any other returns 404. Only what everybody may see ' +
          'can be embedded.',
        tags: ['Widget'],
        querystring: OEmbedQuery,
        response: {
          200: {
            description: 'In the format that was asked for',
            content: { 'application/json': { schema: OEmbed }, 'text/xml': { schema: Type.String() } },
          },
        },
      },
      config: { access: 'public', refuses: [403, 404] },
    },
    async (req, reply) => {
      const embed = (await embedOf(ctx, req.query)) ?? notFound('There is nothing to embed at this address')
      if (req.query.format === 'json') return embed
      return reply.type('text/xml; charset=utf-8').send(asXml(embed))
    },
  )
}
