import { AppError, notFound } from '#platform/errors.ts'
import { etagOf } from '#platform/http/response/etag.ts'
import { Named, notModified } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import type { Module } from '../access.ts'
import { cachedResponse } from '../responses/cached-response.ts'
import { sendResponse, tagged } from '../responses/send.ts'
import { asXml, cacheSeconds, embedOf } from './oembed.ts'

const size = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }))
const OEmbedQuery = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'The address of a profile or a post' }),
  format: Type.String({ default: 'json', description: '`json` or `xml`; any other is refused with 501' }),
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
  height: Type.Integer(),
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
          'can be embedded: a protected profile returns 401, a suspended one 403.',
        tags: ['Widget'],
        querystring: OEmbedQuery,
        response: {
          200: {
            description: 'In the format that was asked for',
            content: { 'application/json': { schema: OEmbed }, 'text/xml': { schema: Type.String() } },
          },
          304: notModified,
        },
      },
      config: { access: 'public', ...tagged, refuses: [401, 403, 404, 412, 501] },
    },
    async (req, reply) => {
      const { format } = req.query
      // The status that the specification of oEmbed asks for.
      if (format !== 'json' && format !== 'xml') throw new AppError(501, 'format must be json or xml')
      const embed = (await embedOf(ctx, req.query)) ?? notFound('There is nothing to embed at this address')
      const [type, text] =
        format === 'json' ? ['application/json', JSON.stringify(embed)] : ['text/xml', asXml(embed)]
      const response = cachedResponse(text, {
        route: '/oembed',
        type: `${type}; charset=utf-8`,
        version: { etag: etagOf(text), lastModified: null, isDated: false },
        shared: { 'cache-control': `public, max-age=${cacheSeconds}` },
      })
      return sendResponse(req, reply, response)
    },
  )
}
