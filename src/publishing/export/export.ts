import { Readable } from 'node:stream'
import { runs } from '#platform/csv.ts'
import type { Sql } from '#platform/db/database.ts'
import { readOwn } from '../accounts/profile.ts'
import type { Principal, Publishing } from '../context.ts'
import * as store from './store.ts'

const max = 200

type Row = { id: number }
type List<R extends Row> = (q: Sql, key: number, slice: { after: number; max: number }) => PromiseLike<R[]>

/** A JSON array as text, read batch by batch: no transaction stays open, and no more than a batch is in memory. */
async function* array<R extends Row>(
  ctx: Publishing,
  list: List<R>,
  key: number,
  write: (row: R) => string | AsyncIterable<string> = JSON.stringify,
) {
  yield '['
  let separator = '\n'
  for await (const batch of runs((after) => list(ctx.db.sql, key, { after, max })))
    for (const row of batch) {
      yield separator
      const written = write(row)
      if (typeof written === 'string') yield written
      else yield* written
      separator = ',\n'
    }
  yield ']'
}

/** A post with its earlier texts, of which there may be a thousand. */
const postOf = (ctx: Publishing) => (post: store.ExportedPost) => {
  if (post.edited_at === null) return JSON.stringify({ ...post, versions: [] })
  const versions = array(ctx, store.listVersions, post.id, ({ content, created_at }) =>
    JSON.stringify({ content, created_at }),
  )
  return (async function* () {
    yield `${JSON.stringify(post).slice(0, -1)},"versions":`
    yield* versions
    yield '}'
  })()
}

/** Everything besides the profile, by its name in the document. */
const lists = (ctx: Publishing, { userId }: Principal): Record<string, AsyncIterable<string>> => ({
  posts: array(ctx, store.listPosts, userId, postOf(ctx)),
  likes: array(ctx, store.listLikes, userId),
  following: array(ctx, store.listFollowing, userId),
  followers: array(ctx, store.listFollowers, userId, ({ user_id: id, handle, created_at }) =>
    JSON.stringify({ id, handle, created_at }),
  ),
  blocked: array(ctx, store.listBlocked, userId),
  muted: array(ctx, store.listMuted, userId),
  keys: array(ctx, store.listKeys, userId),
})

export const exportHeaders = (handle: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': `attachment; filename="${handle}.json"`,
})

/** Everything that an account has here, as one JSON document, which is read no faster than the client takes it. */
export const exportAccount = async (ctx: Publishing, me: Principal) => {
  const own = await readOwn(ctx, me)
  const text = async function* () {
    yield `{"exported_at":${JSON.stringify(ctx.clock.now())},\n"profile":${JSON.stringify(own)}`
    for (const [name, list] of Object.entries(lists(ctx, me))) {
      yield `,\n${JSON.stringify(name)}:`
      yield* list
    }
    yield '}\n'
  }
  return Readable.from(inPieces(text()), { objectMode: false })
}

const pieceLength = 16 * 1024

/** The same text in fewer pieces, because each costs a turn of the stream. */
async function* inPieces(texts: AsyncIterable<string>) {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}
