import { STATUS_CODES } from 'node:http'
import { type Html, html } from '#platform/web/html.ts'
import { examplePanel } from './code.ts'
import { mediaExample } from './example.ts'
import { inlineMarkdown } from './markdown.ts'
import type { Header, Media, OpenApiDocument, Operation, Response } from './openapi.ts'
import { jsonMedia, methods, resolve } from './openapi.ts'
import { parameterTable } from './parameters.ts'
import { contentTrees } from './tree.ts'

/** A response with the status it belongs to. */
type Reply = { status: string; response: Response }

const repliesOf = (document: OpenApiDocument, operation: Operation): Reply[] =>
  Object.entries(operation.responses ?? {}).map(([status, value]) => ({
    status,
    response: resolve<Response>(document, value) ?? {},
  }))

const succeeds = ({ status }: Reply) => /^[123]/.test(status)

const jsonOf = ({ response }: Reply): Media | null =>
  Object.entries(response.content ?? {}).find(([type]) => jsonMedia(type))?.[1] ?? null

/** The body that most errors of the whole API share: explained once, then only linked. */
export const sharedErrorBody = (document: OpenApiDocument): Media | null => {
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    methods.flatMap((method) => item?.[method] ?? []),
  )
  const bodies = operations
    .flatMap((operation) => repliesOf(document, operation))
    .flatMap((reply) => (succeeds(reply) ? [] : (jsonOf(reply) ?? [])))
  const alike = [...Map.groupBy(bodies, ({ schema }) => JSON.stringify(schema)).values()]
  return alike.sort((a, b) => b.length - a.length)[0]?.[0] ?? null
}

const tone = (status: string) => (/^[23]/.test(status) ? 'good' : /^4/.test(status) ? 'warn' : 'bad')

/** `Default Response` is what the generator writes where nobody wrote anything. */
const meaning = ({ status, response }: Reply) =>
  response.description && response.description !== 'Default Response'
    ? response.description
    : (STATUS_CODES[status] ?? 'Any other status')

const heading = (reply: Reply) =>
  html`<span class="status ${tone(reply.status)}">${reply.status}</span> <span>${inlineMarkdown(meaning(reply))}</span>`

const headersOf = (document: OpenApiDocument, { response }: Reply) =>
  Object.entries(response.headers ?? {}).map(([name, header]) => ({
    ...resolve<Header>(document, header),
    name,
    in: 'header',
  }))

const replyBlock = (document: OpenApiDocument, reply: Reply, withExample: boolean): Html => {
  const { content = {} } = reply.response
  const headers = headersOf(document, reply)
  const media = jsonOf(reply)
  if (Object.keys(content).length === 0 && headers.length === 0)
    return html`<div class="response plain">${heading(reply)}</div>`
  return html`<details class="response"><summary>${heading(reply)}</summary>${parameterTable(document, 'Headers', headers)}${contentTrees(document, content, 1)}${
    withExample && media && examplePanel('Example', mediaExample(document, media, 'response'))
  }</details>`
}

const isShared = (shared: Media | null, reply: Reply) => {
  const media = jsonOf(reply)
  return shared !== null && media !== null && JSON.stringify(media.schema) === JSON.stringify(shared.schema)
}

const sharedErrors = (replies: Reply[]) =>
  replies.length > 0 &&
  html`<ul class="errors">${replies.map((reply) => html`<li>${heading(reply)}</li>`)}</ul><p class="hint">With the usual <a href="#errors">error body</a>.</p>`

export const responses = (
  document: OpenApiDocument,
  operation: Operation,
  shared: Media | null,
): Html | null => {
  const replies = repliesOf(document, operation)
  const usual = replies.filter((reply) => !succeeds(reply) && isShared(shared, reply))
  const own = replies.filter((reply) => !usual.includes(reply))
  const first = own.find((reply) => succeeds(reply) && jsonOf(reply))
  return replies.length === 0
    ? null
    : html`<h4>Responses</h4>${own.map((reply) => replyBlock(document, reply, reply !== first))}${sharedErrors(usual)}`
}

/** The JSON of the first success, to stand beside the call. */
export const successExample = (document: OpenApiDocument, operation: Operation): Html | null => {
  const reply = repliesOf(document, operation).find((one) => succeeds(one) && jsonOf(one))
  return reply
    ? examplePanel(`Response ${reply.status}`, mediaExample(document, jsonOf(reply)!, 'response'))
    : null
}
