import { Type } from 'typebox'
import { badRequest } from '#platform/errors.ts'

export const defaultLimit = 20
const Limit = Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit })

/** A numbered page of a list. */
export const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  limit: Limit,
}
export const PageQuery = Type.Object(pageFields)
export type PageQuery = Type.Static<typeof PageQuery>

/** Few posts have said as much as fits on one page: who does not ask for pages mostly gets all of it. */
export const HistoryQuery = Type.Object({
  page: pageFields.page,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
})

export const offsetOf = ({ page, limit }: PageQuery) => (page - 1) * limit

/** The next stretch of a timeline. */
export const CursorQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the answer before' })),
  limit: Limit,
})
export type CursorQuery = Type.Static<typeof CursorQuery>

/** Everything in a timeline has an id below that of what came before it: a walk neither repeats nor misses. */
const encode = (id: number) => Buffer.from(`before:${id}`).toString('base64url')

export const beforeId = ({ cursor }: CursorQuery): number => {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  const id = Number(/^before:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1])
  if (!Number.isSafeInteger(id) || encode(id) !== cursor) badRequest('cursor is not valid')
  return id
}

/** A cursor that is no text, or one of several, is malformed like any other; the schema would call it bad input. */
export const oneCursor = async ({ query }: { query: unknown }) => {
  const { cursor } = query as { cursor?: unknown }
  if (cursor !== undefined && (typeof cursor !== 'string' || /[^\w-]/.test(cursor)))
    badRequest('cursor is not valid')
}

/** Cuts a stretch from ids of which one more was read than asked for. */
export const stretch = (ids: readonly number[], limit: number) => {
  const shown = ids.slice(0, limit)
  return { ids: shown, nextCursor: ids.length > limit ? encode(shown.at(-1)!) : null }
}
