import { type Html, type HtmlValue, html } from '#platform/web/html.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import type { Media, OpenApiDocument, Schema } from './openapi.ts'
import { refName, resolve } from './openapi.ts'
import { type Field, isPlain, type Shape, schemaObject, settle, shapeOf, splitNull } from './shape.ts'
import { constraints, typeLabel } from './type.ts'

/** `open` says how many references deep a tree is unfolded; `above` which ones it is inside of already. */
type Place = { document: OpenApiDocument; open: number; above: readonly string[] }

type Row = { schema: Schema; required?: boolean; deprecated?: boolean; description?: string | undefined }

/**
 * The facts about one value: its type, what narrows it, whether it must be there, and what it means.
 * Short tags instead of classes: a page has thousands of them.
 */
export const facts = (
  document: OpenApiDocument,
  { schema, required, deprecated, description }: Row,
): Html => {
  const settled = settle(document, schema)
  const own = splitNull(settled).schema
  const narrowed = constraints(document, settled)
  const text = description ?? own.description
  return html`<i>${typeLabel(document, schema)}</i>${required && html` <em>required</em>`}${
    (deprecated || own.deprecated) && html` <span class="deprecated">deprecated</span>`
  }${narrowed && html` <small>${narrowed}</small>`}${text && html`<p>${inlineMarkdown(text)}</p>`}`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const foldLabel = (place: Place, schema: Schema): string => {
  const shape = shapeOf(place.document, schema)
  if (shape.kind === 'array' || shape.kind === 'map') return foldLabel(place, shape.items)
  if (shape.kind === 'variants') return count(shape.variants.length, 'variant')
  if (shape.kind === 'object') return count(shape.fields.length, 'field')
  return shape.kind === 'ref' ? `Fields of ${refName(shape.ref)}` : 'Fields'
}

const row = (place: Place, name: HtmlValue, { schema, required }: Omit<Field, 'name'>) => {
  const inner = children(place, schema)
  return html`<li>${name}<div>${facts(place.document, { schema, required })}${
    inner && html`<details><summary>${foldLabel(place, schema)}</summary>${inner}</details>`
  }</div></li>`
}

const objectRows = (place: Place, { fields, additional }: Extract<Shape, { kind: 'object' }>) =>
  fields.length > 0
    ? html`<ul class="fields">${fields.map((field) => row(place, html`<code>${field.name}</code>`, field))}${
        additional && row(place, html`<b>any name</b>`, { schema: additional, required: false })
      }</ul>`
    : null

const variantName = (schema: Schema, index: number) => {
  const { title, $ref } = schemaObject(schema)
  return title ?? ($ref ? refName($ref) : `Variant ${index + 1}`)
}

/** Its title stands beside a variant already. */
const untitled = (schema: Schema): Schema => {
  const { title, ...rest } = schemaObject(schema)
  return rest
}

const variantRows = (place: Place, variants: readonly Schema[]) =>
  variants.every((variant) => isPlain(shapeOf(place.document, variant)))
    ? null
    : html`<ul class="fields">${variants.map((schema, index) =>
        row(place, html`<b>${variantName(schema, index)}</b>`, { schema: untitled(schema), required: false }),
      )}</ul>`

const unfold = (place: Place, ref: string): Html | null => {
  if (place.open === 0 || place.above.includes(ref)) return null
  const target = resolve(place.document, { $ref: ref })
  return target && children({ ...place, open: place.open - 1, above: [...place.above, ref] }, target)
}

/** What is inside a value, or null for one without an inside. Recursion ends at references. */
const children = (place: Place, schema: Schema): Html | null => {
  const shape = shapeOf(place.document, schema)
  if (shape.kind === 'object') return objectRows(place, shape)
  if (shape.kind === 'array' || shape.kind === 'map') return children(place, shape.items)
  if (shape.kind === 'variants') return variantRows(place, shape.variants)
  return shape.kind === 'ref' ? unfold(place, shape.ref) : null
}

/** A whole body: its type, its meaning, and its fields, with nested ones folded away. */
export const schemaTree = (document: OpenApiDocument, schema: Schema, open: number, media?: string): Html => {
  const narrowed = constraints(document, schema)
  const place = { document, open, above: [] }
  return html`<div class="body">${media && html`<span class="media">${media}</span> · `}<i>${typeLabel(document, schema)}</i>${
    narrowed && html` <small>${narrowed}</small>`
  }${markdown(splitNull(schema).schema.description)}${children(place, schema)}</div>`
}

/** A body for each media type it may have. */
export const contentTrees = (
  document: OpenApiDocument,
  content: Record<string, Media> | undefined,
  open: number,
) => Object.entries(content ?? {}).map(([type, { schema = {} }]) => schemaTree(document, schema, open, type))
