import { isDisconnect, isStatementRefused } from '#platform/db/failures.ts'
import { OperatorError } from '#platform/errors.ts'

/** A full disk, an unreadable folder, a lost database: errors that the operator can put right, shown in one line. */
export const explained = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (!syscall && !isDisconnect(error) && !isStatementRefused(error)) throw error
    throw new OperatorError(message, { cause: error })
  }
}
