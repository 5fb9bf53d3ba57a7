import { OperatorError } from '#platform/cli.ts'
import { isDisconnect, isStatementRefused } from '#platform/db/failures.ts'

/** A full disk, a folder that may not be read, a database that goes away: those are for the operator to put right. */
export const explained = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (!syscall && !isDisconnect(error) && !isStatementRefused(error)) throw error
    throw new OperatorError(message, { cause: error })
  }
}
