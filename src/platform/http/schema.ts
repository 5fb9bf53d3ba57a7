import { type Static, type TSchema, Type } from '#platform/type/type.ts'

/** Wire types that all services share. What has no maximum in the contract gets one here. */

/** A pattern, and the message for values that do not match it, because few people read regular expressions. */
export const Pattern = (pattern: string, reason: string) => ({ pattern, 'x-reason': reason })

/** A string of `min` to `max` Unicode characters. */
export const Text = (
  min: number,
  max: number,
  more: { pattern?: string; 'x-reason'?: string; description?: string; default?: string } = {},
) => Type.String({ minLength: min, maxLength: max, ...more })

/** A name: at least one character that is not white space. */
export const Name = (max = 255) => Text(1, max, Pattern('\\S', 'must not be blank'))

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })
export const Password = (min: number, max: number) =>
  Type.String({ minLength: min, maxLength: max, format: 'password' })
export const Uuid = Type.String({ format: 'uuid' })
export const Time = Type.String({ format: 'date-time' })

/** A day of our calendar; the database knows no year 0. */
export const Day = Type.String({
  format: 'date',
  ...Pattern('^(?!0000)', 'must be a date, such as 2026-11-30'),
  examples: ['2026-01-31'],
})

/** Ids are integers below 2^53. In a path, anything else responds 404. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const OneOf = <const V extends string[]>(
  values: V,
  more: { default?: V[number]; description?: string } = {},
) => Type.Unsafe<V[number]>({ type: 'string', enum: values, ...more })

export const Nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values, ...rest } = schema as S & { type?: string | string[]; enum?: unknown[] }
  const nullable = type
    ? { ...rest, type: [type, 'null'].flat(), ...(values ? { enum: [...values, null] } : {}) }
    : { anyOf: [schema, { type: 'null' }] }
  return Type.Unsafe<Static<S> | null>(nullable)
}

/** An object with a name, which becomes a component of the OpenAPI document. */
export const Named = <P extends Record<string, TSchema>>(
  title: string,
  properties: P,
  description?: string,
) => Type.Object(properties, description ? { title, description } : { title })

export const PathId = Type.Object({ id: Id })

/** The 304 of a conditional request. */
export const notModified = { description: 'Not changed since', type: 'null' }
