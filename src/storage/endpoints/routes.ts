import { Named } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import type { Module } from '../access.ts'

const Endpoints = Named('Endpoints', {
  api_url: Type.String({ description: 'Of this API', examples: ['https://storage.example.com'] }),
  s3_url: Type.String({ description: 'Of the S3 API', examples: ['https://s3.example.com'] }),
})

/** Where clients connect. */
export const endpoints: Module = (app, ctx) => {
  app.get(
    '/endpoints',
    {
      schema: {
        operationId: 'getEndpoints',
        summary: 'Get the addresses of the service',
        description:
          'Returns the public addresses of this API and of the S3 API, for the settings of clients.',
        tags: ['System'],
        response: { 200: Endpoints },
      },
      config: { access: 'account.read' },
    },
    async () => ({ api_url: ctx.config.urls.storage, s3_url: ctx.config.urls.s3 }),
  )
}
