import { AppError, notFound } from '#platform/errors.ts'

type Values = Record<string, string | number | null>

/** For each reason that the SQL functions of a module give, the status and the words for the client. */
export type Refusals = Record<string, (values: Values) => never>

/** Waits for statements that call SQL functions, and responds with the words of a module if they refuse. */
export type OrRefuse = <T>(work: PromiseLike<T>) => Promise<T>

type Raised = { code?: unknown; message?: unknown; detail?: unknown } | null

/** Which entry of `items` is refused, if the function said at which it stopped. */
const placeOf = ({ at }: Values, reason: string) =>
  typeof at === 'number' ? [{ field: `items[${at}]`, reason }] : null

/** A reason without words is a bug: the error is passed on, and becomes a logged 500. */
export const createOrRefuse = (modules: readonly Refusals[]): OrRefuse => {
  const refusals = new Map(modules.flatMap((module) => Object.entries(module)))
  /** The reason is also the code that the client receives. */
  const refuse = (reason: string, values: Values) => {
    try {
      refusals.get(reason)?.(values)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { status, message, headers } = error
      const details = placeOf(values, message) ?? error.details
      throw new AppError(status, message, { code: reason, headers, ...(details ? { details } : {}) })
    }
  }
  return async (work) => {
    try {
      return await work
    } catch (error) {
      const { code, message, detail } = (error ?? {}) as NonNullable<Raised>
      if (code === 'INREF') refuse(String(message), JSON.parse(String(detail)))
      if (code === '23503') notFound('Something this refers to does not exist any more')
      throw error
    }
  }
}
