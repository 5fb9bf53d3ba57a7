import { type Html, html, joinHtml } from '#platform/web/html.ts'
import { type OpenApiDocument, refName, type Schema, type SchemaObject, schemaAnchor } from './openapi.ts'
import { schemaObject, shapeOf, splitNull } from './shape.ts'

const refLink = (document: OpenApiDocument, ref: string) => {
  const name = refName(ref)
  const known = Object.hasOwn(document.components?.schemas ?? {}, name)
  return known ? html`<a href="#${schemaAnchor(name)}">${name}</a>` : html`${name}`
}

const coreType = (document: OpenApiDocument, schema: Schema): Html => {
  const shape = shapeOf(document, schema)
  const { type, format, title } = splitNull(schema).schema
  if (shape.kind === 'ref') return refLink(document, shape.ref)
  if (shape.kind === 'array' || shape.kind === 'map')
    return html`${shape.kind} of ${typeLabel(document, shape.items)}`
  if (shape.kind === 'variants') {
    const labels = shape.variants.map((variant) => typeLabel(document, variant))
    const distinct = new Set(labels.map(String)).size === labels.length
    return distinct ? joinHtml(labels, ' or ') : html`one of ${labels.length} variants`
  }
  if (shape.kind === 'values') return html`${typeof type === 'string' ? type : typeof shape.values[0]}`
  if (shape.kind === 'scalar') return html`${shape.type}${format ? ` (${format})` : null}`
  return html`${title ?? 'object'}`
}

/** What a value is, in a few words: `string (date-time) or null`, `array of Bucket`. */
export const typeLabel = (document: OpenApiDocument, schema: Schema): Html =>
  html`${coreType(document, schema)}${splitNull(schema).nullable ? ' or null' : null}`

const units = (amount: number, unit: string) => `${amount}${unit && ` ${unit}${amount === 1 ? '' : 's'}`}`

const range = (min: number | undefined, max: number | undefined, unit = '') => {
  const lower = min === undefined || (unit && min === 0) ? null : min
  const upper = max === undefined || max >= Number.MAX_SAFE_INTEGER ? null : max
  if (lower === null) return upper === null ? null : `at most ${units(upper, unit)}`
  if (upper === null) return `at least ${units(lower, unit)}`
  return lower === upper ? `exactly ${units(lower, unit)}` : `${lower}–${units(upper, unit)}`
}

const beyond = (word: string, bound: number | boolean | undefined) =>
  typeof bound === 'number' ? `${word} ${bound}` : null

const shown = (value: unknown) => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value))

const limits = (schema: SchemaObject): (Html | string | null | false)[] => [
  range(schema.minLength, schema.maxLength, 'character'),
  schema.pattern !== undefined && html`<code>${schema.pattern}</code>`,
  range(schema.minimum, schema.maximum),
  beyond('more than', schema.exclusiveMinimum),
  beyond('less than', schema.exclusiveMaximum),
  schema.multipleOf !== undefined && `multiple of ${schema.multipleOf}`,
  range(schema.minItems, schema.maxItems, 'item'),
  schema.uniqueItems === true && 'no item twice',
  range(schema.minProperties, schema.maxProperties, 'field'),
]

const valueList = (values: readonly unknown[]) =>
  html`${values.length === 1 ? 'always' : 'one of'} ${joinHtml(
    values.map((value) => html`<code>${shown(value)}</code>`),
    ' ',
  )}`

/** Everything that narrows a value beyond its type: `3–63 characters, ^[a-z]+$`, `1–200, default 50`. */
export const constraints = (document: OpenApiDocument, given: Schema): Html | null => {
  const { schema } = splitNull(given)
  const shape = shapeOf(document, given)
  const ofItems =
    shape.kind === 'array' || shape.kind === 'map'
      ? constraints(document, { ...schemaObject(shape.items), default: undefined })
      : null
  const parts = [
    ...limits(schema),
    ofItems && html`each ${ofItems}`,
    shape.kind === 'values' && valueList(shape.values),
    schema.default !== undefined && html`default <code>${shown(schema.default)}</code>`,
    schema.readOnly === true && 'read only',
    schema.writeOnly === true && 'write only',
  ].filter((part) => part !== null && part !== false)
  return parts.length > 0 ? joinHtml(parts, ', ') : null
}
