import { type Html, html } from '#platform/web/html.ts'
import { codePanel, pathText } from './code.ts'
import { type Call, curlExample } from './curl.ts'
import { markdown } from './markdown.ts'
import type {
  Media,
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  RequestBody,
} from './openapi.ts'
import { anchor, methods, resolve } from './openapi.ts'
import { parameterTables } from './parameters.ts'
import { responses, successExample } from './responses.ts'
import { accessLine } from './security.ts'
import { contentTrees } from './tree.ts'
import { tryIt } from './try/try.ts'

export type Entry = { id: string; title: string; tags: readonly string[] } & Call

/** An operation's own parameter replaces the one of its path with the same name and place. */
const parametersOf = (document: OpenApiDocument, item: PathItem, operation: Operation): Parameter[] => {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap(
    (parameter) => resolve<Parameter>(document, parameter) ?? [],
  )
  return [...new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()]
}

const entry = (document: OpenApiDocument, path: string, item: PathItem, method: Method): Entry[] => {
  const operation = item[method]
  if (!operation) return []
  return [
    {
      document,
      method,
      path,
      operation,
      id: anchor(operation.operationId ?? `${method}${path}`),
      title: operation.summary ?? operation.operationId ?? `${method.toUpperCase()} ${path}`,
      tags: operation.tags?.length ? operation.tags : ['Other'],
      parameters: parametersOf(document, item, operation),
      body: operation.requestBody ? resolve<RequestBody>(document, operation.requestBody) : null,
    },
  ]
}

export const entriesOf = (document: OpenApiDocument): Entry[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    item ? methods.flatMap((method) => entry(document, path, item, method)) : [],
  )

export const methodBadge = (method: Method) =>
  html`<span class="method ${method}">${method.toUpperCase()}</span>`

const requestBody = (document: OpenApiDocument, body: RequestBody | null) =>
  body &&
  html`<h4>Request body${body.required === false && ' (optional)'}</h4>${markdown(body.description)}${contentTrees(document, body.content, 2)}`

export const operationSection = (one: Entry, sharedError: Media | null): Html => {
  const { document, operation } = one
  return html`<article class="operation" id="${one.id}"><header><h3><a class="self" href="#${one.id}">${one.title}</a>${
    operation.deprecated && html` <span class="deprecated">deprecated</span>`
  }</h3><p class="call" data-copy="Copy path">${methodBadge(one.method)}<code>${pathText(one.path)}</code></p></header><div class="words">${accessLine(
    document,
    operation,
  )}${markdown(operation.description)}${parameterTables(document, one.parameters)}${requestBody(
    document,
    one.body,
  )}${responses(document, operation, sharedError)}</div><div class="examples">${codePanel(
    'curl',
    curlExample(one),
  )}${tryIt}${successExample(document, operation)}</div></article>
`
}
