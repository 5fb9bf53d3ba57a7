import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { bodyLimit as defaultLimit } from '#platform/http/response/errors.ts'
import { operations } from '#storage/s3/operations.ts'
import type { Schema } from './largest.ts'

type Route = RouteOptions & { method: string | string[] }
const servers: { app: FastifyInstance; routes: Route[] }[] = []

// Every server that is built from here on tells its routes, those of the frame among them.
subscribe('fastify.initialization', (message) => {
  const { fastify: app } = message as { fastify: FastifyInstance }
  const routes: Route[] = []
  servers.push({ app, routes })
  app.addHook('onRoute', (route) => void routes.push(route as Route))
})

/** Where a request can be sent. */
export type Place = {
  method: string
  url: string
  /** The parameters of the query that it knows. */
  names: string[]
  body: Schema | undefined
  /** How many bytes its body may have. */
  bodyLimit: number
  isPage: boolean
  isForm: boolean
}

const partOf = (schema: unknown, part: string) => (schema as Record<string, Schema> | undefined)?.[part]

/** The routes of the server that listens there. */
export const routesAt = (url: string): Place[] => {
  const port = Number(new URL(url).port)
  const found = servers.find(({ app }) =>
    app.addresses().some((address) => typeof address === 'object' && address.port === port),
  )
  if (!found) throw new Error(`no server listens at ${url}`)
  return found.routes.flatMap(({ method, url, schema, config, bodyLimit }) =>
    [method].flat().flatMap((one) => {
      // The same as GET, and the same handler.
      if (one === 'HEAD' || config?.partOfWildcard) return []
      const isPage = ['page', 'member'].includes(String(config?.access))
      return {
        method: one,
        url,
        names: Object.keys(partOf(schema, 'querystring')?.properties ?? {}),
        body: partOf(schema, 'body'),
        bodyLimit: bodyLimit ?? defaultLimit,
        isPage,
        isForm: isPage && one === 'POST',
      }
    }),
  )
}

/** What S3 knows, at a bucket and a key. */
export const operationsAt = (bucket: string, key: string) =>
  operations.map(({ name, method, at, query, header, run }) => ({
    name,
    method,
    path: { service: '/', bucket: `/${bucket}`, object: `/${bucket}/${key}` }[at],
    query,
    header,
    isImplemented: run !== undefined,
  }))

export type S3Operation = ReturnType<typeof operationsAt>[number]
