import { type Html, html, joinHtml } from '#platform/web/html.ts'
import { markdown } from './markdown.ts'
import type { OpenApiDocument, Operation, SecurityRequirement, SecurityScheme } from './openapi.ts'
import { anchor, resolve } from './openapi.ts'

export type NamedScheme = { name: string; scheme: SecurityScheme; scopes: readonly string[] }

const securityAnchor = (name: string) => `auth-${anchor(name)}`

const schemeNamed = (document: OpenApiDocument, name: string, scopes: readonly string[]): NamedScheme => {
  const found = document.components?.securitySchemes?.[name]
  return { name, scopes, scheme: (found && resolve<SecurityScheme>(document, found)) ?? { type: 'unknown' } }
}

/** Alternative credentials of an operation, each a set of schemes sent together; an empty set means none are needed. */
export const alternatives = (document: OpenApiDocument, operation: Operation): NamedScheme[][] => {
  const requirements: SecurityRequirement[] = operation.security ?? document.security ?? []
  return requirements.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => schemeNamed(document, name, scopes)),
  )
}

const title = ({ name, scheme }: NamedScheme) => {
  if (scheme.type === 'apiKey') return scheme.in === 'cookie' ? 'session cookie' : (scheme.name ?? name)
  if (scheme.type !== 'http') return name
  if (scheme.scheme?.toLowerCase() === 'basic') return 'Basic authentication'
  return scheme.bearerFormat && scheme.bearerFormat !== 'JWT'
    ? `Bearer ${scheme.bearerFormat}`
    : 'Bearer token'
}

const schemeLink = (one: NamedScheme) => {
  const link = html`<a href="#${securityAnchor(one.name)}">${title(one)}</a>`
  const scopes = one.scopes.map((scope) => html` <code>${scope}</code>`)
  return html`${one.scheme.type === 'unknown' ? one.name : link}${scopes}`
}

const alternativeLink = (schemes: NamedScheme[]) => joinHtml(schemes.map(schemeLink), ' with ')

/** Who may call an operation, in one line. */
export const accessLine = (document: OpenApiDocument, operation: Operation): Html => {
  const all = alternatives(document, operation)
  const credentials = all.filter((schemes) => schemes.length > 0)
  if (credentials.length === 0) return html`<p class="access">Public, no credentials</p>`
  const word = credentials.length < all.length ? 'Public, or more with' : 'Needs'
  return html`<p class="access">${word} ${joinHtml(credentials.map(alternativeLink), ' or ')}</p>`
}

/** `X-Api-Key` → `API_KEY`: the shell variable that stands for a credential in examples. */
export const placeholder = (name: string) =>
  name
    .replace(/^x-/i, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

const carriers: Record<string, string> = { header: 'header', query: 'query parameter', cookie: 'cookie' }

const howToSend = ({ name, scheme }: NamedScheme): Html => {
  if (scheme.type === 'apiKey') {
    const carrier = carriers[scheme.in ?? 'header'] ?? 'header'
    return html`Send it in the ${carrier} <code>${scheme.name ?? name}</code>.`
  }
  if (scheme.type !== 'http') return html`Scheme of type <code>${scheme.type}</code>.`
  const word = scheme.scheme?.toLowerCase() === 'basic' ? 'Basic' : 'Bearer'
  const what = word === 'Basic' ? 'base64(user:password)' : (scheme.bearerFormat ?? 'token')
  return html`Send the header <code>Authorization: ${word} &lt;${what}&gt;</code>.`
}

/** How to send each kind of credential, or null where none exists. */
export const authentication = (document: OpenApiDocument): Html | null => {
  const names = Object.keys(document.components?.securitySchemes ?? {})
  const schemes = names.map((name) => schemeNamed(document, name, []))
  return schemes.length === 0
    ? null
    : html`<dl class="schemes">${schemes.map(
        (one) =>
          html`<div id="${securityAnchor(one.name)}"><dt>${title(one)}</dt><dd><p>${howToSend(one)}</p>${markdown(
            one.scheme.description,
          )}</dd></div>`,
      )}</dl>`
}
