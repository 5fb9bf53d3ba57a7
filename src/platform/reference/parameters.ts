import { type Html, html } from '#platform/web/html.ts'
import type { OpenApiDocument, Parameter } from './openapi.ts'
import { facts } from './tree.ts'

const schemaOf = ({ schema, content }: Parameter) => schema ?? Object.values(content ?? {})[0]?.schema ?? {}

const line = (document: OpenApiDocument, parameter: Parameter) =>
  html`<tr><th scope="row"><code>${parameter.name}</code></th><td>${facts(document, {
    ...parameter,
    schema: schemaOf(parameter),
  })}</td></tr>`

export const parameterTable = (
  document: OpenApiDocument,
  caption: string,
  parameters: Parameter[],
): Html | null =>
  parameters.length === 0
    ? null
    : html`<table class="parameters"><caption>${caption}</caption><tbody>${parameters.map((parameter) =>
        line(document, parameter),
      )}</tbody></table>`

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const

/** One table for each place a parameter can stand in. */
export const parameterTables = (document: OpenApiDocument, parameters: Parameter[]) =>
  places.map(([place, caption]) =>
    parameterTable(
      document,
      caption,
      parameters.filter((parameter) => parameter.in === place),
    ),
  )
