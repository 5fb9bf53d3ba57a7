import type { Trial } from './trial.ts'

/** Credentials stay in this page and are gone with it: what a browser stores, every page of this host could read. */
const credentials = new Map<string, string>()

export const knownCredential = (header: string) => credentials.get(header) ?? ''

const textOf = (data: FormData, name: string) => String(data.get(name) ?? '').trim()

/** Always on the site that served the page. */
const addressOf = ({ path, fields }: Trial, data: FormData) => {
  const of = (place: string) => fields.filter((field) => field.in === place)
  const filled = of('path').reduce(
    (whole, { name }) => whole.replace(`{${name}}`, () => encodeURIComponent(textOf(data, `path.${name}`))),
    path,
  )
  const url = new URL(filled, location.origin)
  for (const { name } of of('query')) {
    const value = textOf(data, `query.${name}`)
    if (value) url.searchParams.append(name, value)
  }
  return url
}

const headersOf = ({ fields, credentials: asked, body }: Trial, data: FormData) => {
  const headers = new Headers()
  for (const { header, prefix } of asked) {
    const value = textOf(data, `credential.${header}`)
    credentials.set(header, value)
    if (value) headers.set(header, prefix + value)
  }
  for (const { name } of fields.filter((field) => field.in === 'header')) {
    const value = textOf(data, `header.${name}`)
    if (value) headers.set(name, value)
  }
  // The boundary of a form is the browser's to choose.
  if (body && body.kind !== 'form') headers.set('content-type', body.type)
  return headers
}

const contentOf = ({ body }: Trial, data: FormData) => {
  if (!body) return null
  const file = data.get('body')
  if (body.kind !== 'form') return file
  const form = new FormData()
  if (file !== null) form.append('file', file)
  return form
}

export const send = (trial: Trial, data: FormData) =>
  fetch(addressOf(trial, data), {
    method: trial.method,
    headers: headersOf(trial, data),
    body: contentOf(trial, data),
    credentials: 'omit',
    cache: 'no-store',
  })
