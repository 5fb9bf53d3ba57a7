import { codeOf, OperatorError } from '#platform/errors.ts'
import { safeUrl } from '#platform/log.ts'

/** `host:port` of a URL of PostgreSQL, where the host may also be a parameter. */
const serverOf = (url: string) => {
  const parsed = URL.parse(url)
  return parsed?.host || parsed?.searchParams.get('host') || 'localhost'
}

const reasonOf = (error: Error, url: string) => {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `no PostgreSQL listens at ${serverOf(url)}`
    case 'ENOENT':
      return `no PostgreSQL listens in ${serverOf(url)}`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of ${serverOf(url)} is not known`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'CONNECTION_FAILED':
      return `${serverOf(url)} does not respond`
    default:
      return error.message || codeOf(error)
  }
}

/** Why the database of `DATABASE_URL` cannot be used, in one line without its password. */
export const refusedBy = (url: string, error: unknown) =>
  error instanceof Error
    ? new OperatorError(`DATABASE_URL ${safeUrl(url)} cannot be used: ${reasonOf(error, url)}.`, {
        cause: error,
      })
    : error
