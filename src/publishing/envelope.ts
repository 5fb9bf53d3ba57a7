import { type TSchema, Type } from 'typebox'
import type { AppError } from '#platform/errors.ts'

/** Every JSON answer but an error: what was asked for, and where in a page-numbered list it stands. */
export const ok = <D>(data: D) => ({ success: true as const, data })

export const Ok = <S extends TSchema>(data: S) => Type.Object({ success: Type.Literal(true), data })

export const failure = ({ message, details }: AppError) => ({
  success: false,
  message,
  ...(details
    ? { errors: details.map(({ field, reason }) => ({ field, message: `${field} ${reason}` })) }
    : {}),
})
