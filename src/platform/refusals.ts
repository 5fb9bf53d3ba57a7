import { AppError, codeOf, notFound } from './errors.ts'

type Details = Record<string, string | number | null>

/** For each reason that the SQL functions of a module give to `platform.refuse`, the status and the words for the client. */
export type Refusals = Record<string, (details: Details) => never>

/** Waits for statements that call SQL functions, and responds with the words of a module if they refuse. */
export type OrRefuse = <T>(work: PromiseLike<T>) => Promise<T>

/** Which entry of `items` is refused, if the function said at which it stopped. */
const placeOf = ({ at }: Details, reason: string) =>
  typeof at === 'number' ? [{ field: `items[${at}]`, reason }] : null

const collect = (modules: readonly { refusals?: Refusals }[]) => {
  const collected = new Map<string, Refusals[string]>()
  for (const { refusals = {} } of modules)
    for (const [reason, refuse] of Object.entries(refusals)) {
      if (collected.has(reason)) throw new Error(`Two modules have words for the reason "${reason}"`)
      collected.set(reason, refuse)
    }
  return collected
}

/** A reason without words is a bug: the error is passed on, and becomes a logged 500. */
export const createOrRefuse = (modules: readonly { refusals?: Refusals }[]): OrRefuse => {
  const refusals = collect(modules)
  /** The reason is also the code that the client receives. */
  const refuse = (reason: string, details: Details) => {
    try {
      refusals.get(reason)?.(details)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { status, message, headers } = error
      const problems = placeOf(details, message) ?? error.details
      throw new AppError(status, message, {
        code: reason,
        headers,
        ...(problems ? { details: problems } : {}),
      })
    }
  }
  return async (work) => {
    try {
      return await work
    } catch (error) {
      const code = codeOf(error)
      const { message, detail } = error as { message: string; detail?: string }
      if (code === 'TRREF') refuse(message, JSON.parse(String(detail)))
      if (code === '23503') notFound('Something this refers to does not exist any more')
      throw error
    }
  }
}
