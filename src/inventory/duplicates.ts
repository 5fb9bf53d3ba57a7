import { duplicateOf } from '#platform/db/failures.ts'
import { taken } from '#platform/errors.ts'

/** A value that nothing else of the tenant may have: where it is entered, and what a client reads if it is taken. */
export type Unique = { constraint: string; field: string; message: string }

export const refuseTaken = ({ field, message }: Unique) => taken(field, message, message)

/** 409 if the work is refused because a value is taken. */
export const unlessTaken = <T>(unique: Unique, work: Promise<T>) =>
  work.catch((error): never => {
    if (duplicateOf(error) === unique.constraint) refuseTaken(unique)
    throw error
  })
