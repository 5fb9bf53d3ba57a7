import type * as typebox from 'typebox'

/**
 * The builders of TypeBox that are in use here, with its types, and the same JSON schemas as results. TypeBox itself would
 * be 370 modules in every process, almost all of them for types that are computed at run time.
 */
export type { Static, TInteger, TObject, TSchema } from 'typebox'

type Properties = { [name: string]: object }

/** The hidden mark of an optional property, TypeBox's own: JSON Schema says only in the object which are required. */
const optional = '~optional'

const objectOf = (properties: Properties, options: object = {}) => {
  const required = globalThis.Object.keys(properties).filter(
    (name) => !(optional in (properties[name] ?? {})),
  )
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
}
const only = (properties: Properties, isKept: (name: string) => boolean) =>
  globalThis.Object.fromEntries(globalThis.Object.entries(properties).filter(([name]) => isKept(name)))

/** Gives a builder the type of TypeBox's own. */
const as = <Builder>(build: (...parameters: never[]) => object) => build as Builder
const simple =
  (type: string) =>
  (options: object = {}) => ({ type, ...options })

const text = as<typeof typebox.String>(simple('string'))
const object = as<typeof typebox.Object>(objectOf)
const array = as<typeof typebox.Array>((items: object, options?: object) => ({
  type: 'array',
  items,
  ...options,
}))
const boolean = as<typeof typebox.Boolean>(simple('boolean'))
const number = as<typeof typebox.Number>(simple('number'))

export { array as Array, boolean as Boolean, number as Number, object as Object, text as String }

export const Integer = as<typeof typebox.Integer>(simple('integer'))
export const Null = as<typeof typebox.Null>(simple('null'))
export const Unknown = as<typeof typebox.Unknown>((options: object = {}) => ({ ...options }))
export const Unsafe = as<typeof typebox.Unsafe>((schema: object) => ({ ...schema }))
export const Literal = as<typeof typebox.Literal>((value: unknown, options?: object) => ({
  type: typeof value,
  const: value,
  ...options,
}))
export const Enum = as<typeof typebox.Enum>((values: string[], options?: object) => ({
  enum: values,
  ...options,
}))
export const Union = as<typeof typebox.Union>((anyOf: object[], options?: object) => ({ anyOf, ...options }))
export const Record = as<typeof typebox.Record>((_text: object, value: object, options?: object) => ({
  type: 'object',
  patternProperties: { '^.*$': value },
  ...options,
}))
export const Optional = as<typeof typebox.Optional>((schema: object) =>
  globalThis.Object.defineProperty({ ...schema }, optional, { value: true }),
)
export const Pick = as<typeof typebox.Pick>(({ properties }: { properties: Properties }, names: string[]) =>
  objectOf(only(properties, (name) => names.includes(name))),
)
export const Omit = as<typeof typebox.Omit>(({ properties }: { properties: Properties }, names: string[]) =>
  objectOf(only(properties, (name) => !names.includes(name))),
)
