import type { AppError } from '#platform/errors.ts'
import { Named } from '#platform/http/schema.ts'
import { type TSchema, Type } from '#platform/type/type.ts'

/** The body of every JSON response that is no error. */
export const ok = <D>(data: D) => ({ success: true as const, data })

export const Ok = <S extends TSchema>(data: S) => Type.Object({ success: Type.Literal(true), data })

const metaFields = {
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
  hasNext: Type.Boolean(),
  hasPrev: Type.Boolean(),
}

/** A page of a list, its position in the list, and what else its `meta` says. */
export const OkPage = <S extends TSchema, M extends Record<string, TSchema> = Record<never, TSchema>>(
  data: S,
  title = 'Meta',
  more: M = {} as M,
) => Type.Object({ success: Type.Literal(true), data, meta: Named(title, { ...metaFields, ...more }) })

export const okPage = <D, M extends object = object>(
  data: D,
  { page, limit }: { page: number; limit: number },
  total: number,
  more: M = {} as M,
) => {
  const totalPages = Math.ceil(total / limit)
  const meta = { total, page, limit, totalPages, hasNext: page < totalPages, hasPrev: page > 1, ...more }
  return { success: true as const, data, meta }
}

export const Failure = Named('Error', {
  success: Type.Literal(false),
  message: Type.String({ description: 'For people.' }),
  code: Type.String({ description: 'For programs.', examples: ['not_found'] }),
  request_id: Type.String({ description: 'The same as the header `X-Request-Id`.' }),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
      description: 'What is wrong with which field of the input.',
    }),
  ),
})

export const failure = ({ message, code, details, facts }: AppError, { id }: { id: string }) => ({
  success: false,
  message,
  code,
  request_id: id,
  ...(details
    ? { errors: details.map(({ field, reason }) => ({ field, message: `${field} ${reason}` })) }
    : {}),
  ...facts,
})
