type Failure = { code?: unknown; constraint_name?: unknown }

const codeOf = (error: unknown) => {
  const code = (error as Failure | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Another transaction was in the way; the same work may succeed when it is begun again. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(codeOf(error))

export const isTimeout = (error: unknown) => codeOf(error) === '57014'

const gone = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN',
  'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT',
  '57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08006',
]) // biome-ignore format: one list
/** The database cannot be reached at the moment, whatever was asked of it. */
export const isDisconnect = (error: unknown) => gone.has(codeOf(error))

/** The server has no disk, memory or connection left for what was asked of it; others may still be served. */
export const isExhausted = (error: unknown) => codeOf(error).startsWith('53')

/** The server refused a statement, and nothing of it was done. */
export const isUndone = (error: unknown) =>
  error instanceof Error && error.name === 'PostgresError' && !isDisconnect(error)

/** The name of the unique index or constraint that refused a row, or null. */
export const duplicateOf = (error: unknown): string | null =>
  codeOf(error) === '23505' ? String((error as Failure).constraint_name) : null
