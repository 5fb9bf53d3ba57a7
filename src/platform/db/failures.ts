import { DatabaseError } from 'pg'
import { codeOf } from '#platform/errors.ts'
import { ConnectionLost, isStalePlan } from './connection.ts'
import { isReadOnly } from './dial.ts'

/** The connection was lost before the transaction's commit was sent, so none of it has happened. */
export class Interrupted extends ConnectionLost {}

/** None of the work was done, and it may succeed when it is retried. */
export const isRetryable = (error: unknown) =>
  error instanceof Interrupted ||
  isStalePlan(error) ||
  isReadOnly(error) ||
  ['40001', '40P01'].includes(codeOf(error))

/** Refused because an earlier statement of the same transaction failed. */
export const isAborted = (error: unknown) => codeOf(error) === '25P02'

export const isTimeout = (error: unknown) => codeOf(error) === '57014'

const disconnects = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN',
  'CONNECTION_FAILED', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300',
  '08000', '08001', '08003', '08006',
  '08P01', // PgBouncer cannot reach its server
  '25006', // the server is no longer the primary
]) // biome-ignore format: one list
/** The database cannot be reached or written to, or has closed the connection. */
export const isDisconnect = (error: unknown) =>
  error instanceof ConnectionLost || disconnects.has(codeOf(error))

/** The server lacks disk space, memory or connections for this statement. Other statements may still succeed. */
export const isExhausted = (error: unknown) => codeOf(error).startsWith('53')

/** The server refused a statement, so that none of it was done. */
export const isStatementRefused = (error: unknown) => error instanceof DatabaseError && !isDisconnect(error)

/** The name of the unique index or constraint that a row violates, or null. */
export const duplicateOf = (error: unknown): string | null =>
  error instanceof DatabaseError && error.code === '23505' ? String(error.constraint) : null
