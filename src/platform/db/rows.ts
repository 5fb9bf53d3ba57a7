import type { Statement } from './sql.ts'

/** The first row of a statement, or undefined. */
export const maybeOne = async <T>(rows: PromiseLike<readonly T[]>): Promise<T | undefined> => (await rows)[0]

/** The first row of a statement that always returns one. */
export const one = async <T>(rows: PromiseLike<readonly T[]>): Promise<T> => {
  const [row] = await rows
  if (row === undefined) throw new Error('A statement that always returns a row returned none')
  return row
}

/**
 * Sends statements one behind the other without waiting for each result. They run in the order in which they are listed,
 * which may be the order of their locks. Only statements are accepted: they do nothing before they are awaited here.
 */
export const pipeline = <T extends readonly Statement<unknown>[]>(
  ...statements: T
): Promise<{ [K in keyof T]: Awaited<T[K]> }> => Promise.all(statements) as never

/** A pattern for LIKE that matches this text literally; add `%` on either side. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
