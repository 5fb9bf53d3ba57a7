import { badRequest } from '#platform/errors.ts'
import { Type } from '#platform/type/type.ts'

export const defaultLimit = 20
const Limit = Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit })

/** A numbered page of a list. */
export const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  limit: Limit,
}
export const PageQuery = Type.Object(pageFields)
export type PageQuery = Type.Static<typeof PageQuery>

/** Few posts have more versions than fit on one page: a client that does not know pages mostly gets all of them. */
export const HistoryQuery = Type.Object({
  page: pageFields.page,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
})

/** The part of the list that a page shows. */
export const sliceOf = ({ page, limit }: PageQuery) => ({ limit, offset: (page - 1) * limit })

/** The next part of a timeline. */
export const CursorQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the answer before' })),
  limit: Limit,
})
export type CursorQuery = Type.Static<typeof CursorQuery>

/** Ids in a timeline only decrease, so walking it by cursor neither repeats nor misses a post. */
const encode = (id: number) => Buffer.from(`before:${id}`).toString('base64url')

export const beforeId = ({ cursor }: CursorQuery): number => {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  const id = Number(/^before:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1])
  if (!Number.isSafeInteger(id) || encode(id) !== cursor) badRequest('cursor is not valid')
  return id
}

/** Rejects a cursor that is no text or was sent twice like any other malformed cursor; the schema would respond 422. */
export const oneCursor = async ({ query }: { query: unknown }) => {
  const { cursor } = query as { cursor?: unknown }
  if (cursor !== undefined && (typeof cursor !== 'string' || /[^\w-]/.test(cursor)))
    badRequest('cursor is not valid')
}

/** Cuts a part of a timeline from ids, of which one more was read than the limit. */
export const sliceByCursor = (ids: readonly number[], limit: number) => {
  const shown = ids.slice(0, limit)
  return { ids: shown, nextCursor: ids.length > limit ? encode(shown.at(-1)!) : null }
}
