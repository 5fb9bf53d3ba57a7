import { duplicateOf } from '#platform/db/failures.ts'
import { conflict } from '#platform/errors.ts'

/** 409 if a unique index or constraint of this name refuses the work. */
export const unlessTaken = <T>(constraint: string, message: string, work: Promise<T>) =>
  work.catch((error): never => {
    if (duplicateOf(error) === constraint) conflict(message)
    throw error
  })
