import { codeOf, OperatorError } from '#platform/errors.ts'
import { safeUrl } from '#platform/log.ts'
import { NoServer } from './servers.ts'

/** `host:port` of a URL of PostgreSQL, where the host may also be a parameter. */
const serverOf = (url: string) => {
  const parameters = new URLSearchParams(url.split('?')[1])
  return parameters.get('host') || URL.parse(url)?.host || 'localhost'
}

const reasonOf = (error: unknown, url: string): string => {
  if (error instanceof NoServer)
    return error.failures.map((failure) => reasonOf(failure.error, failure.url)).join('; ')
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
    case '25006':
      return `${serverOf(url)} is read-only`
    default:
      return (error as Error).message || codeOf(error)
  }
}

/** Why the database of `DATABASE_URL` cannot be used, in one line without its password. */
export const refusedBy = (url: string, error: unknown) =>
  error instanceof Error
    ? new OperatorError(`DATABASE_URL ${safeUrl(url)} cannot be used: ${reasonOf(error, url)}.`, {
        cause: error,
      })
    : error
