import swagger from '@fastify/swagger'
import type { Config } from '#platform/config.ts'
import type { App, Service } from './service.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Moves schemas that have a title into named components. */
const hoistTitled = (document: Json) => {
  const schemas: Json = {}
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const seen = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]))
    if (typeof seen.title !== 'string' || !('type' in seen || 'oneOf' in seen)) return seen
    const { title, ...schema } = seen
    const known = schemas[title]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are called ${title}`)
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  const paths = visit(document.paths)
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, paths, components: { ...(document.components as Json), schemas: sorted } }
}

const errorSchema = (service: Service) => {
  const sample = service.errorBody({ status: 400, message: 'text', details: null, headers: {} } as never, {
    id: 'id',
  })
  const properties = Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [
      name,
      value === null ? { type: ['array', 'null'], items: {} } : { type: typeof value },
    ]),
  )
  return { title: 'Error', type: 'object', required: Object.keys(sample), properties }
}

/** Documents every route of the service as OpenAPI 3.1. */
export const registerOpenApi = (app: App, service: Service, config: Config) => {
  const error = {
    description: 'The request was refused',
    content: { 'application/json': { schema: errorSchema(service) } },
  }
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: service.title, version: '1.0.0', description: service.description },
      servers: [{ url: config.urls[service.name] }],
      components: { securitySchemes: service.securitySchemes as never },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access ?? 'system'
      const security = access === 'system' ? [] : service.security(access)
      return { schema: { ...schema, security } as never, url }
    },
    transformObject: (document) => {
      const openapi = (document as { openapiObject: Json }).openapiObject
      for (const operations of Object.values(openapi.paths as Record<string, Record<string, Json>>))
        for (const operation of Object.values(operations)) {
          const responses = operation.responses as Record<string, Json>
          for (const [status, response] of Object.entries(responses))
            if (response.description === 'Default Response') response.description = describeStatus(status)
          responses.default ??= error
        }
      return hoistTitled(openapi) as never
    },
  })
}

const describeStatus = (status: string) =>
  status === '201' ? 'Created' : status.startsWith('2') ? 'Success' : 'Refused'
