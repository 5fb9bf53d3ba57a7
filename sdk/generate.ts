import openapiTS, { astToString } from 'openapi-typescript'

type Schema = { [name: string]: unknown; anyOf?: Schema[] }

/** The first alternative is Form S, which the SDK asks for. */
const inFormS = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inFormS)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...rest } = value as Schema
  if (anyOf?.[0]) return inFormS({ ...rest, ...anyOf[0] })
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inFormS(part)]))
}

/** In the responses only: requests may have inputs of either form. */
const storageInFormS = (document: { paths: Record<string, Record<string, { responses?: object }>> }) => {
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path))
      if (operation.responses) operation.responses = inFormS(operation.responses) as object
  return document
}

/** The types of a service, from its OpenAPI document. */
export const typesOf = async (service: string, text: string) => {
  const document = JSON.parse(text)
  const types = await openapiTS(service === 'storage' ? storageInFormS(document) : document, {
    // Otherwise requests would have to contain whatever has a default.
    defaultNonNullable: false,
    alphabetize: false,
  })
  return `// Generated from docs/openapi/${service}.json by \`npm run openapi\`.\n\n${astToString(types)}`
}

/** Where they are kept. */
export const typesFile = (service: string) => new URL(`./src/generated/${service}.ts`, import.meta.url)
