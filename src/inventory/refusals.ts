import { AppError } from '#platform/errors.ts'

type Raised = { code?: unknown; message?: unknown }

/** What the database refused on behalf of the rules, as the answer to the client. */
export const refusals = async <T>(work: PromiseLike<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const { code, message } = error as Raised
    const status = typeof code === 'string' && /^IN(4\d\d)$/.exec(code)?.[1]
    if (status) throw new AppError(Number(status), String(message))
    if (code === '23503') throw new AppError(404, 'Something this refers to does not exist any more')
    throw error
  }
}
