import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import type { OpenSql } from '#test/support/sql.ts'

/** A town of believable size. */
const size = { accounts: 50_000, posts: 1_000_000, vocabulary: 20_000 }

// The same town in every run.
let seed = 42
const random = () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}
const letters = 'etaoinshrdlucmfwypvbgkjqxz'
const vocabulary = Array.from({ length: size.vocabulary }, () =>
  Array.from({ length: 3 + Math.floor(random() * 7) }, () => letters[Math.floor(random() ** 2 * 26)]).join(
    '',
  ),
)
/** Few words are common and most are rare, as in every language. */
const word = () => vocabulary[Math.floor(size.vocabulary ** random()) - 1] ?? vocabulary[0]!

/** Two words that a fair number of posts hold. */
export const commonPairs = Array.from(
  { length: 50 },
  (_, n) => `${vocabulary[40 + n]} ${vocabulary[95 + n * 2]}`,
)
/** On some 1,500 posts. */
export const tag = 'tag5'

const copy = async (sql: OpenSql, into: string, rows: Iterable<string>) => {
  await pipeline(Readable.from(chunks(rows)), sql.copy(from(`copy ${into} from stdin`)))
}
function* chunks(rows: Iterable<string>) {
  let text = ''
  for (const row of rows) {
    text += `${row}\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}

function* accountRows(perAccount: number) {
  for (let id = 1; id <= size.accounts; id++)
    yield `${id}\tbench${id}@example.com\tbench${id}\tBench ${id}\t-\t${perAccount}\tbench${id} bench ${id}\t2026-01-01`
}

const contents: string[] = []
function* postRows() {
  for (let id = 1; id <= size.posts; id++) {
    const text = Array.from({ length: 10 }, word).join(' ')
    const tagged = id % 20 === 0
    const content = tagged ? `${text} #tag${id % 1000 === 0 ? 5 : id % 97}` : text
    contents.push(content)
    const author = (Math.imul(id, 7919) >>> 0) % size.accounts
    const tags = tagged ? `{${content.slice(content.indexOf('#') + 1)}}` : '{}'
    yield `${id}\t${author + 1}\tpost\t${content}\t${content}\tpublic\t${tags}\t2026-01-01`
  }
}

export const buildTown = async (sql: OpenSql) => {
  await sql`drop index publishing.post_words_trigrams`
  await copy(
    sql,
    'publishing.users (id, email, handle, username, password_hash, post_count, words, created_at)',
    accountRows(size.posts / size.accounts),
  )
  await copy(
    sql,
    'publishing.posts (id, author_id, type, content, content_html, audience, hashtags, created_at)',
    postRows(),
  )
  await copy(
    sql,
    'publishing.post_words (post_id, words)',
    contents.map((text, at) => `${at + 1}\t${text}`),
  )
  await sql`select setval(pg_get_serial_sequence('publishing.users', 'id'), ${size.accounts})`
  await sql`select setval(pg_get_serial_sequence('publishing.posts', 'id'), ${size.posts})`
  await sql`update publishing.users u set post_count = n.count from (
    select author_id, count(*) from publishing.posts group by 1) n where n.author_id = u.id`
  await sql`insert into publishing.tags select tag, count(*) from publishing.posts, unnest(hashtags) tag group by 1`
  await sql`insert into publishing.post_tags select tag, id from publishing.posts, unnest(hashtags) tag`
  await sql`set maintenance_work_mem = '512MB'`
  await sql`create index post_words_trigrams on publishing.post_words using gin (publishing.trigrams(words))
    with (gin_pending_list_limit = 128)`
  for (const table of ['users', 'posts', 'post_words', 'tags', 'post_tags'])
    await sql.unsafe(`vacuum analyze publishing.${table}`)
}

/** An account that follows a thousand others. */
export const followMany = async (sql: OpenSql, id: number) => {
  await sql`insert into publishing.follows (follower_id, followee_id, is_accepted, created_at)
    select ${id}, n * 50, true, '2026-01-01' from generate_series(1, 1000) n`
  await sql`vacuum analyze publishing.follows`
}

/** Lets keys post as much as a measurement wants. */
export const liftDailyLimits = async (sql: OpenSql) => {
  await sql`alter domain publishing.daily_post_limit drop constraint daily_post_limit_check`
  await sql`update publishing.api_keys set daily_post_limit = 1000000000`
}
