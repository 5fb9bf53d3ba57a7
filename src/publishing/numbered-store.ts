import type { Sql } from '#platform/db/database.ts'

type Shape = { table: string; owner: string; id: string; shown: string; of: string; counter: string }

const below = (owner: string, shown: string, counter: string): Shape => ({
  table: 'posts',
  owner,
  id: 'id',
  shown,
  of: 'posts',
  counter,
})
const following = (owner: string, shown: string, counter: string): Shape => ({
  table: 'follows',
  owner,
  id: 'id',
  shown,
  of: 'users',
  counter,
})

/** Long lists that are read by page number; each belongs to a row that also counts it. */
const lists = {
  posts: { table: 'posts', owner: 'author_id', id: 'id', shown: 'id', of: 'users', counter: 'post_count' },
  tag: {
    table: 'post_tags',
    owner: 'tag',
    id: 'post_id',
    shown: 'post_id',
    of: 'tags',
    counter: 'post_count',
  },
  likes: { table: 'likes', owner: 'post_id', id: 'id', shown: 'user_id', of: 'posts', counter: 'like_count' },
  replies: below('parent_id', 'id', 'reply_count'),
  quotes: below('quote_of_id', 'id', 'quote_count'),
  reposts: below('repost_of_id', 'author_id', 'repost_count'),
  followers: following('followee_id', 'follower_id', 'follower_count'),
  following: following('follower_id', 'followee_id', 'following_count'),
}

/** What everybody sees who may see the post it belongs to. */
const seenByAll = (q: Sql) => q`
  e.deleted_at is null and (e.audience = 'public' or e.author_id = (
    select t.author_id from publishing.posts t where t.id = coalesce(e.parent_id, e.quote_of_id, e.repost_of_id)))`

/** Which of the rows in the table of a list are in it. */
const members = {
  posts: (q: Sql) => q`e.deleted_at is null`,
  tag: (q: Sql) => q`true`,
  likes: (q: Sql) => q`e.is_counted`,
  replies: seenByAll,
  quotes: seenByAll,
  reposts: seenByAll,
  followers: (q: Sql) => q`e.is_accepted and e.follower_counts`,
  following: (q: Sql) => q`e.is_accepted and e.followee_counts`,
}

export type List = { name: keyof typeof lists; owner: number | string }
export type Listed = { ids: number[]; total: number }

const step = 500
/** Nobody who changes the list has to wait longer than it takes to count this many. */
const stretch = 50_000

const part = (q: Sql, { name, owner }: List) => {
  const { table, of, ...columns } = lists[name]
  const key = of === 'tags' ? 'tag' : 'id'
  return {
    entries: q`${q(`publishing.${table}`)} e where e.${q(columns.owner)} = ${owner} and ${members[name](q)}`,
    // All lists are read newest first but conversations.
    order: name === 'replies' ? q`asc` : q`desc`,
    owning: q`${q(`publishing.${of}`)} where ${q(key)} = ${owner}`,
    milestones: q`publishing.milestones where list = ${name} and owner = ${String(owner)}`,
    id: q(columns.id),
    shown: q(columns.shown),
    counter: q(columns.counter),
  }
}

export const readShallow = async (q: Sql, list: List, limit: number, offset: number): Promise<Listed> => {
  const { entries, owning, order, id, shown, counter } = part(q, list)
  const [row] = await q<Listed[]>`
    select coalesce((select ${counter} from ${owning}), 0) as total,
      array(select ${shown} from ${entries} order by ${id} ${order} limit ${limit} offset ${offset}) as ids`
  return row!
}

/** From the milestone just below the page of a conversation. */
const readOnwards = async (q: Sql, list: List, limit: number, offset: number): Promise<Listed> => {
  const { entries, owning, milestones, id, shown, counter } = part(q, list)
  const [row] = await q<Listed[]>`
    with below as materialized (
      select id, rank from ${milestones} and rank <= ${offset} order by rank desc limit 1
    )
    select coalesce((select ${counter} from ${owning}), 0) as total, array(
      select ${shown} from ${entries} and ${id} > coalesce((select id from below), 0) order by ${id} limit ${limit}
      offset ${offset}::bigint - coalesce((select rank from below), 0)) as ids`
  return row!
}

/** From the milestone just above the page; the rest of the way is short. */
const readBack = async (q: Sql, list: List, limit: number, offset: number): Promise<Listed> => {
  const { entries, owning, milestones, id, shown, counter } = part(q, list)
  const [row] = await q<Listed[]>`
    with counted as materialized (
      select coalesce((select ${counter} from ${owning}), 0) as total
    ), above as materialized (
      select id, rank from ${milestones} and rank >= (select total - ${offset}::bigint from counted)
      order by rank limit 1
    )
    select total, array(
      select ${shown} from ${entries} and ${id} <= coalesce((select id from above), 9223372036854775807)
      order by ${id} desc limit ${limit}
      offset coalesce((select rank from above) - (total - ${offset}::bigint), ${offset}::bigint)) as ids
    from counted`
  return row!
}

export const readDeep = (q: Sql, list: List, limit: number, offset: number) =>
  (list.name === 'replies' ? readOnwards : readBack)(q, list, limit, offset)

/** How many entries stand beyond the last milestone. */
export const unmarked = async (q: Sql, list: List) => {
  const { owning, milestones, counter } = part(q, list)
  const [row] = await q<{ count: number }[]>`
    select coalesce((select ${counter} from ${owning}), 0)
      - coalesce((select max(rank) from ${milestones}), 0)::int as count`
  return row!.count
}

/** Sets milestones on the next stretch, while nobody can change the list. Answers how many. */
export const mark = async (q: Sql, list: List) => {
  const { entries, owning, milestones, id } = part(q, list)
  await q`select from ${owning} for share`
  const rows = await q`
    with last as materialized (
      select coalesce(max(id), 0) as id, coalesce(max(rank), 0) as rank from ${milestones}
    ), further as (
      select ${id} as id from ${entries} and ${id} > (select id from last) order by ${id} limit ${stretch}
    )
    insert into publishing.milestones (list, owner, id, rank)
    select ${list.name}, ${String(list.owner)}, id, rank from (
      select id, (select rank from last) + row_number() over (order by id) as rank from further
    ) ranked where rank % ${step} = 0 on conflict do nothing returning 1`
  return rows.length
}

/** Milestones that are not where they say. */
export const wrongMilestones = async (q: Sql) => {
  const found: { subject: string; rank: number }[] = []
  for (const name of Object.keys(lists) as List['name'][]) {
    const { table, owner, id } = lists[name]
    const rows = await q<{ owner: string; rank: number }[]>`
      select m.owner, m.rank from publishing.milestones m left join (
        select e.${q(owner)}::text as owner, ${q(id)} as id,
          row_number() over (partition by e.${q(owner)} order by ${q(id)}) as rank
        from ${q(`publishing.${table}`)} e where e.${q(owner)} is not null and ${members[name](q)}
      ) counted on counted.owner = m.owner and counted.id = m.id
      where m.list = ${name} and m.rank is distinct from counted.rank`
    found.push(...rows.map((row) => ({ subject: `${name} of ${row.owner}`, rank: row.rank })))
  }
  return found
}
