import { type Html, html, raw } from '#platform/web/html.ts'
import { type Call, parameterExample } from '../curl.ts'
import { mediaExample } from '../example.ts'
import { jsonMedia } from '../openapi.ts'
import { alternatives } from '../security.ts'
import type { Trial } from './trial.ts'

type Place = Trial['fields'][number]['in']
const places: readonly string[] = ['path', 'query', 'header']

const fieldsOf = (call: Call): Trial['fields'] =>
  call.parameters
    .filter((parameter) => places.includes(parameter.in))
    .map((parameter) => {
      const example = parameterExample(call, parameter)
      const isRequired = parameter.required === true
      return {
        name: parameter.name,
        in: parameter.in as Place,
        value: isRequired ? example : '',
        hint: isRequired ? '' : example,
        isRequired,
      }
    })

const credentialsOf = ({ document, operation }: Call): Trial['credentials'] => {
  const schemes = alternatives(document, operation).flat()
  const all = schemes.flatMap(({ name, scheme }) => {
    if (scheme.type === 'http') return [{ label: 'Token', header: 'authorization', prefix: 'Bearer ' }]
    if (scheme.type !== 'apiKey' || scheme.in !== 'header') return []
    return [{ label: scheme.name ?? name, header: (scheme.name ?? name).toLowerCase(), prefix: '' }]
  })
  return [...new Map(all.map((one) => [one.header, one])).values()]
}

const bodyOf = ({ document, body }: Call): Trial['body'] => {
  const [entry] = Object.entries(body?.content ?? {})
  if (!entry) return null
  const [type, media] = entry
  if (type === 'multipart/form-data') return { type, kind: 'form' }
  if (!jsonMedia(type)) return { type: type.includes('*') ? 'application/octet-stream' : type, kind: 'file' }
  return { type, kind: 'json', example: mediaExample(document, media, 'request') }
}

const trialOf = (call: Call): Trial => ({
  method: call.method.toUpperCase(),
  path: call.path,
  fields: fieldsOf(call),
  credentials: credentialsOf(call),
  body: bodyOf(call),
})

/** Where the script puts a button that opens a form with which to call the operation. */
export const tryIt = html`<div class="try"></div>`

/** What the script knows of the operations, by their ids. It is data: the browser does not run it. */
export const trials = (calls: readonly (Call & { id: string })[]): Html => {
  const json = JSON.stringify(Object.fromEntries(calls.map((call) => [call.id, trialOf(call)])))
  return html`<script type="application/json" id="trials">${raw(json.replaceAll('<', '\\u003c'))}</script>`
}
