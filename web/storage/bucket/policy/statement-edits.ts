import { indexOfStatement, type Statement } from './statements.ts'

/**
 * Changes of single statements in a list that others may have changed, or that has the change already because only the
 * response to an earlier attempt was lost. Where there is nothing to do, the same list is returned.
 */

const has = (all: Statement[], statement: Statement) => indexOfStatement(all, statement) >= 0

export const withStatement = (all: Statement[], index: number, statement: Statement) =>
  has(all, statement) ? all : all.toSpliced(index, 0, statement)

export const withoutStatement = (all: Statement[], statement: Statement) =>
  has(all, statement) ? all.toSpliced(indexOfStatement(all, statement), 1) : all

export const replaceStatement = (all: Statement[], old: Statement, statement: Statement) => {
  if (has(all, old)) return all.toSpliced(indexOfStatement(all, old), 1, statement)
  if (has(all, statement)) return all
  throw new Error('Somebody else has changed or deleted this statement in the meantime.')
}
