import { STATUS_CODES } from 'node:http'
import { type Html, html } from '#platform/web/html.ts'
import { examplePanel } from './code.ts'
import { mediaExample } from './example.ts'
import { inlineMarkdown } from './markdown.ts'
import type { Header, Media, OpenApiDocument, Operation, Response } from './openapi.ts'
import { jsonMedia, methods, resolve } from './openapi.ts'
import { parameterTable } from './parameters.ts'
import { contentTrees } from './tree.ts'

type Answer = { status: string; response: Response }

const answersOf = (document: OpenApiDocument, operation: Operation): Answer[] =>
  Object.entries(operation.responses ?? {}).map(([status, value]) => ({
    status,
    response: resolve<Response>(document, value) ?? {},
  }))

const succeeds = ({ status }: Answer) => /^[123]/.test(status)

const jsonOf = ({ response }: Answer): Media | null =>
  Object.entries(response.content ?? {}).find(([type]) => jsonMedia(type))?.[1] ?? null

/** The body that most refusals of the whole API share: explained once, then only linked. */
export const sharedErrorBody = (document: OpenApiDocument): Media | null => {
  const bodies = new Map<string, { media: Media; uses: number }>()
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    methods.map((method) => item?.[method]),
  )
  for (const operation of operations) {
    for (const answer of operation ? answersOf(document, operation) : []) {
      const media = succeeds(answer) ? null : jsonOf(answer)
      if (!media) continue
      const key = JSON.stringify(media.schema)
      bodies.set(key, { media: bodies.get(key)?.media ?? media, uses: (bodies.get(key)?.uses ?? 0) + 1 })
    }
  }
  return [...bodies.values()].sort((a, b) => b.uses - a.uses)[0]?.media ?? null
}

const tone = (status: string) => (/^[23]/.test(status) ? 'good' : /^4/.test(status) ? 'warn' : 'bad')

/** `Default Response` is what the generator writes where nobody wrote anything. */
const meaning = ({ status, response }: Answer) =>
  response.description && response.description !== 'Default Response'
    ? response.description
    : (STATUS_CODES[status] ?? 'Any other status')

const heading = (answer: Answer) =>
  html`<span class="status ${tone(answer.status)}">${answer.status}</span> <span>${inlineMarkdown(meaning(answer))}</span>`

const headersOf = (document: OpenApiDocument, { response }: Answer) =>
  Object.entries(response.headers ?? {}).map(([name, header]) => ({
    ...resolve<Header>(document, header),
    name,
    in: 'header',
  }))

const answerBlock = (document: OpenApiDocument, answer: Answer, withExample: boolean): Html => {
  const { content = {} } = answer.response
  const headers = headersOf(document, answer)
  const media = jsonOf(answer)
  if (Object.keys(content).length === 0 && headers.length === 0)
    return html`<div class="answer plain">${heading(answer)}</div>`
  return html`<details class="answer"><summary>${heading(answer)}</summary>${parameterTable(document, 'Headers', headers)}${contentTrees(document, content, 1)}${
    withExample && media && examplePanel('Example', mediaExample(document, media, 'response'))
  }</details>`
}

const isShared = (shared: Media | null, answer: Answer) => {
  const media = jsonOf(answer)
  return shared !== null && media !== null && JSON.stringify(media.schema) === JSON.stringify(shared.schema)
}

const sharedErrors = (answers: Answer[]) =>
  answers.length > 0 &&
  html`<ul class="refusals">${answers.map((answer) => html`<li>${heading(answer)}</li>`)}</ul><p class="hint">With the usual <a href="#errors">error body</a>.</p>`

export const responses = (
  document: OpenApiDocument,
  operation: Operation,
  shared: Media | null,
): Html | null => {
  const answers = answersOf(document, operation)
  const usual = answers.filter((answer) => !succeeds(answer) && isShared(shared, answer))
  const own = answers.filter((answer) => !usual.includes(answer))
  const first = own.find((answer) => succeeds(answer) && jsonOf(answer))
  return answers.length === 0
    ? null
    : html`<h4>Responses</h4>${own.map((answer) => answerBlock(document, answer, answer !== first))}${sharedErrors(usual)}`
}

/** The JSON of the first success, to stand beside the call. */
export const successExample = (document: OpenApiDocument, operation: Operation): Html | null => {
  const answer = answersOf(document, operation).find((one) => succeeds(one) && jsonOf(one))
  return answer
    ? examplePanel(`Response ${answer.status}`, mediaExample(document, jsonOf(answer)!, 'response'))
    : null
}
