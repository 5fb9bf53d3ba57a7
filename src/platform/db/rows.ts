/** The first row of a statement, or undefined. */
export const maybeOne = async <T>(rows: PromiseLike<readonly T[]>): Promise<T | undefined> => (await rows)[0]

/** The first row of a statement that always returns one. */
export const one = async <T>(rows: PromiseLike<readonly T[]>): Promise<T> => {
  const [row] = await rows
  if (row === undefined) throw new Error('A statement that always returns a row returned none')
  return row
}

/** The only column of the only row of a statement that always returns one. */
export const value = async <T>(rows: PromiseLike<readonly object[]>): Promise<T> =>
  Object.values(await one(rows))[0] as T

/** A pattern for LIKE that matches this text literally; add `%` on either side. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
