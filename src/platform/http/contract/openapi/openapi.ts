import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import Fastify, { type RouteOptions } from 'fastify'
import type { Config } from '#platform/config.ts'
import { version } from '#platform/version.ts'
import type { App } from '../../app.ts'
import type { Service } from '../../service.ts'
import { withExamples } from './examples.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { completeOperation } from './operation.ts'
import { refusalComponents } from './refusals.ts'
import { hoistTitled, type Json, type RouteFacts, withoutRequiredDefaults } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

type Paths = Record<string, Record<string, Json>>

/** Headers that operations refer to, as OpenAPI's parameters. */
const headerParameters = Object.fromEntries(
  Object.entries(requestHeaders).map(([name, header]) => [name, { name, in: 'header', ...header }]),
)

/** Only what is referred to, so that the document of a service does not describe the features of another. */
const used = (components: Json, prefix: string, text: string) =>
  Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${prefix}/${name}"`)),
  )

const tagsOf = ({ tags }: Service) =>
  Object.entries(tags).map(([name, description]) => ({ name, description }))

/**
 * Documents every route that is declared after this as OpenAPI 3.1. The document is made when it is first asked for, which
 * in most processes is never: until then, neither the packages for it nor their copies of all schemas are in memory.
 */
export const registerOpenApi = (app: App, service: Service, config: Config) => {
  const declared: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    declared.push(route)
  })
  let made: Promise<Json> | undefined
  app.decorate('openApi', () => {
    made ??= documentOf(declared, service, config).catch((error) => {
      made = undefined
      throw error
    })
    return made
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of the service. */
    openApi(): Promise<Record<string, unknown>>
  }
}

/** Declares the routes once more, for a server that only describes them. */
const documentOf = async (declared: RouteOptions[], service: Service, config: Config): Promise<Json> => {
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, swaggerOptions(service, config))
  // Read only now, because hooks of the modules have completed them.
  for (const { method, url, schema = {}, config: facts = {} } of declared)
    app.route({ method, url, schema, config: facts, handler: () => null })
  await app.ready()
  const document = app.swagger() as unknown as Json
  await app.close()
  return document
}

const swaggerOptions = (service: Service, config: Config): FastifyDynamicSwaggerOptions => {
  const routes = new Map<string, Pick<RouteFacts, 'access' | 'config'>>()
  const complete = (document: Json) => {
    const operations = Object.entries(document.paths as Paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const facts = routes.get(String(operation.operationId))
          return [method, facts ? completeOperation({ ...facts, operation }, service) : operation]
        }),
      ),
    ])
    const responses = refusalComponents(service)
    const hoisted = hoistTitled(
      withoutRequiredDefaults({
        paths: Object.fromEntries(operations),
        responses,
        webhooks: webhooksOf(service),
      }),
    )
    const {
      paths: bare,
      responses: refusals,
      webhooks,
    } = hoisted.rest as {
      paths: Paths
      responses: Json
      webhooks: Json
    }
    const { paths, schemas } = withExamples({ paths: bare, schemas: hoisted.schemas }, service.examples)
    const pathsText = JSON.stringify(paths)
    const usedRefusals = used(refusals, 'responses', pathsText)
    const components = {
      ...(document.components as Json),
      schemas,
      parameters: used(headerParameters, 'parameters', pathsText),
      responses: usedRefusals,
      headers: used(responseHeaders, 'headers', pathsText + JSON.stringify(usedRefusals)),
    }
    return { ...document, paths, ...(service.eventTypes && { webhooks }), components }
  }
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: service.title,
        version,
        description: service.description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: config.urls[service.name] }],
      tags: tagsOf(service),
      components: { securitySchemes: service.securitySchemes as never },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access ?? 'system'
      const security = access === 'system' ? [] : service.security(access)
      if (schema.operationId && route.config) routes.set(schema.operationId, { access, config: route.config })
      return { schema: { ...schema, security } as never, url }
    },
    transformObject: (document) => complete((document as { openapiObject: Json }).openapiObject) as never,
  }
}
