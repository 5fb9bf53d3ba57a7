import { type Html, html } from '#platform/web/html.ts'
import { examplePanel } from './code.ts'
import { mediaExample } from './example.ts'
import { markdown } from './markdown.ts'
import { anchor, type OpenApiDocument, type Parameter, type RequestBody, resolve } from './openapi.ts'
import { parameterTables } from './parameters.ts'
import { schemaObject } from './shape.ts'
import { schemaTree } from './tree.ts'

const json = 'application/json'

type EventType = { type: string; about: string | undefined; headers: Parameter[]; body: RequestBody | null }

/** What is sent to webhooks when something happens, by type. */
const eventTypesOf = (document: OpenApiDocument): EventType[] =>
  Object.entries(document.webhooks ?? {}).flatMap(([type, item]) => {
    const operation = item?.post
    if (!operation) return []
    const { summary: about, parameters = [], requestBody } = operation
    return {
      type,
      about,
      headers: parameters.flatMap((parameter) => resolve<Parameter>(document, parameter) ?? []),
      body: requestBody ? resolve<RequestBody>(document, requestBody) : null,
    }
  })

const article = (document: OpenApiDocument, { type, about, body }: EventType) => {
  const id = `event-${anchor(type)}`
  const { data = {} } = schemaObject(body?.content?.[json]?.schema).properties ?? {}
  return html`<article class="schema" id="${id}"><h3><a class="self" href="#${id}">${type}</a></h3>${markdown(
    about,
  )}${schemaTree(document, data, 0, 'data')}</article>\n`
}

/** Every type of event with its `data`; what all have in common, their headers and an example come first. */
export const eventTypes = (document: OpenApiDocument): Html | null => {
  const all = eventTypesOf(document)
  const [first] = all
  if (!first) return null
  const media = first.body?.content?.[json]
  return html`<section class="schemas around" id="event-types"><h2>Event types</h2><div class="prose"><p>Each event has the same fields around its <code>data</code>, which is shown here for each type. Events are read as a list or a stream, or sent to webhooks: then as a POST with these headers.</p></div>${parameterTables(
    document,
    first.headers,
  )}${media && examplePanel(first.type, mediaExample(document, media, 'request'))}${all.map((one) => article(document, one))}</section>`
}
