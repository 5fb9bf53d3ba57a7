import type { Service } from '../../service.ts'
import { rateLimitHeaders } from './headers.ts'
import { refusalsOf } from './refusals.ts'
import { isObject, type Json, type RouteFacts } from './schemas.ts'

type Parameter = { name: string; in: string; required?: boolean; schema?: { default?: unknown } }

const isOptional = ({ required, schema }: Parameter) => !required || schema?.default !== undefined

const parametersOf = ({ config, operation }: RouteFacts) => {
  const declared = ((operation.parameters ?? []) as Parameter[]).map(({ required, ...parameter }) =>
    isOptional({ required: required === true, ...parameter }) ? parameter : { ...parameter, required: true },
  )
  const reads = [...(config.idempotent ? ['Idempotency-Key'] : []), ...(config.reads ?? [])]
  return [...declared, ...reads.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

const acceptsNull = (schema: unknown) =>
  isObject(schema) &&
  ([schema.type].flat().includes('null') ||
    (Array.isArray(schema.anyOf) && schema.anyOf.some((one) => isObject(one) && one.type === 'null')))

const bodyOf = ({ config, operation }: RouteFacts) => {
  if (config.requestBody) return config.requestBody
  const body = operation.requestBody as { content: Record<string, { schema?: unknown }> } | undefined
  if (!body) return undefined
  const isOptionalBody = Object.values(body.content).some(({ schema }) => acceptsNull(schema))
  return { ...body, required: !isOptionalBody }
}

const descriptions: Record<string, string> = { 201: 'Created', 204: 'Done; there is no content' }

const isList = ({ operation }: RouteFacts) =>
  ((operation.parameters ?? []) as Parameter[]).some(
    ({ in: place, name }) => place === 'query' && ['page', 'cursor', 'offset'].includes(String(name)),
  )
const isJson = ({ content }: Json) => isObject(content) && 'application/json' in content

const successesOf = (facts: RouteFacts) => {
  const { access, config, operation } = facts
  const names = [
    'X-Request-Id',
    ...(access === 'system' ? [] : rateLimitHeaders),
    ...(config.idempotent ? ['Idempotency-Replayed'] : []),
    ...(config.sends ?? []),
  ]
  const refs = (list: string[]) =>
    Object.fromEntries(list.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  const headersOf = (status: string, response: Json) =>
    refs([
      ...names,
      ...(status === '201' && config.created ? ['Location'] : []),
      ...(status === '200' && isList(facts) && isJson(response) ? ['Link'] : []),
    ])
  return Object.fromEntries(
    Object.entries((operation.responses ?? {}) as Record<string, Json>).map(([status, response]) => [
      status,
      {
        ...response,
        description:
          response.description === 'Default Response'
            ? (descriptions[status] ?? 'Success')
            : response.description,
        headers: { ...headersOf(status, response), ...(response.headers as Json | undefined) },
      },
    ]),
  )
}

/** Everything that follows from what a route is, so that routes only say what is special about them. */
export const completeOperation = (facts: RouteFacts, service: Service): Json => {
  const requestBody = bodyOf(facts)
  const complete = { ...facts, operation: { ...facts.operation, ...(requestBody ? { requestBody } : {}) } }
  const parameters = parametersOf(complete)
  return {
    ...complete.operation,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: { ...successesOf(complete), ...refusalsOf(complete, service) },
  }
}
