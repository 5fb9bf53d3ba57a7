import { OperatorError } from '#platform/cli.ts'

/** A full disk, a folder that may not be read: what the operating system says about files is for the operator. */
export const explainingFiles = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const { syscall, path, message } = error as NodeJS.ErrnoException
    if (!syscall || (!path && syscall === 'connect')) throw error
    throw new OperatorError(message, { cause: error })
  }
}
