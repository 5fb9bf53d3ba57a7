import { type Html, type HtmlValue, html } from '#platform/web/html.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import { type Media, type OpenApiDocument, refName, resolve, type Schema } from './openapi.ts'
import { type Field, inlinePlainRef, isPlain, type Shape, schemaObject, shapeOf, splitNull } from './shape.ts'
import { constraints, typeLabel } from './type.ts'

/** `open`: how many references deep the tree is expanded. `above`: the references it is inside of already. */
type Context = { document: OpenApiDocument; open: number; above: readonly string[] }

type Row = { schema: Schema; required?: boolean; deprecated?: boolean; description?: string | undefined }

/**
 * The facts about one value: its type, what narrows it, whether it must be there, and what it means.
 * Short tags instead of classes: a page has thousands of them.
 */
export const facts = (
  document: OpenApiDocument,
  { schema, required, deprecated, description }: Row,
): Html => {
  const inlined = inlinePlainRef(document, schema)
  const own = splitNull(inlined).schema
  const narrowed = constraints(document, inlined)
  const text = description ?? own.description
  return html`<i>${typeLabel(document, schema)}</i>${required && html` <em>required</em>`}${
    (deprecated || own.deprecated) && html` <span class="deprecated">deprecated</span>`
  }${narrowed && html` <small>${narrowed}</small>`}${text && html`<p>${inlineMarkdown(text)}</p>`}`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const foldLabel = (context: Context, schema: Schema): string => {
  const shape = shapeOf(context.document, schema)
  if (shape.kind === 'array' || shape.kind === 'map') return foldLabel(context, shape.items)
  if (shape.kind === 'variants') return count(shape.variants.length, 'variant')
  if (shape.kind === 'object') return count(shape.fields.length, 'field')
  return shape.kind === 'ref' ? `Fields of ${refName(shape.ref)}` : 'Fields'
}

const row = (context: Context, name: HtmlValue, { schema, required }: Omit<Field, 'name'>) => {
  const inner = children(context, schema)
  return html`<li>${name}<div>${facts(context.document, { schema, required })}${
    inner && html`<details><summary>${foldLabel(context, schema)}</summary>${inner}</details>`
  }</div></li>`
}

const objectRows = (context: Context, { fields, additional }: Extract<Shape, { kind: 'object' }>) =>
  fields.length > 0
    ? html`<ul class="fields">${fields.map((field) => row(context, html`<code>${field.name}</code>`, field))}${
        additional && row(context, html`<b>any name</b>`, { schema: additional, required: false })
      }</ul>`
    : null

const variantName = (schema: Schema, index: number) => {
  const { title, $ref } = schemaObject(schema)
  return title ?? ($ref ? refName($ref) : `Variant ${index + 1}`)
}

/** The title of a variant is shown beside it already. */
const untitled = (schema: Schema): Schema => {
  const { title, ...rest } = schemaObject(schema)
  return rest
}

const variantRows = (context: Context, variants: readonly Schema[]) =>
  variants.every((variant) => isPlain(shapeOf(context.document, variant)))
    ? null
    : html`<ul class="fields">${variants.map((schema, index) =>
        row(context, html`<b>${variantName(schema, index)}</b>`, {
          schema: untitled(schema),
          required: false,
        }),
      )}</ul>`

const unfold = (context: Context, ref: string): Html | null => {
  if (context.open === 0 || context.above.includes(ref)) return null
  const target = resolve(context.document, { $ref: ref })
  return target && children({ ...context, open: context.open - 1, above: [...context.above, ref] }, target)
}

/** The fields, items or variants of a value; null for a plain one. Recursion ends at references. */
const children = (context: Context, schema: Schema): Html | null => {
  const shape = shapeOf(context.document, schema)
  if (shape.kind === 'object') return objectRows(context, shape)
  if (shape.kind === 'array' || shape.kind === 'map') return children(context, shape.items)
  if (shape.kind === 'variants') return variantRows(context, shape.variants)
  return shape.kind === 'ref' ? unfold(context, shape.ref) : null
}

/** A whole body: its type, its meaning, and its fields, with nested ones folded away. */
export const schemaTree = (document: OpenApiDocument, schema: Schema, open: number, media?: string): Html => {
  const narrowed = constraints(document, schema)
  const context = { document, open, above: [] }
  return html`<div class="body">${media && html`<span class="media">${media}</span> · `}<i>${typeLabel(document, schema)}</i>${
    narrowed && html` <small>${narrowed}</small>`
  }${markdown(splitNull(schema).schema.description)}${children(context, schema)}</div>`
}

/** A body for each media type it may have. */
export const contentTrees = (
  document: OpenApiDocument,
  content: Record<string, Media> | undefined,
  open: number,
) => Object.entries(content ?? {}).map(([type, { schema = {} }]) => schemaTree(document, schema, open, type))
