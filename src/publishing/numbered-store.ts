import type { Sql } from '#platform/db/database.ts'

/** Long lists that are read by page number, newest first; each belongs to a row that also counts it. */
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
  followers: {
    table: 'follows',
    owner: 'followee_id',
    id: 'id',
    shown: 'follower_id',
    of: 'users',
    counter: 'follower_count',
  },
  following: {
    table: 'follows',
    owner: 'follower_id',
    id: 'id',
    shown: 'followee_id',
    of: 'users',
    counter: 'following_count',
  },
} as const

/** Which of the rows in the table of a list are in it. */
const members = {
  posts: (q: Sql) => q`deleted_at is null`,
  tag: (q: Sql) => q`true`,
  likes: (q: Sql) => q`is_counted`,
  followers: (q: Sql) => q`is_accepted and follower_counts`,
  following: (q: Sql) => q`is_accepted and followee_counts`,
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
    entries: q`${q(`publishing.${table}`)} where ${q(columns.owner)} = ${owner} and ${members[name](q)}`,
    owning: q`${q(`publishing.${of}`)} where ${q(key)} = ${owner}`,
    milestones: q`publishing.milestones where list = ${name} and owner = ${String(owner)}`,
    id: q(columns.id),
    shown: q(columns.shown),
    counter: q(columns.counter),
  }
}

export const readShallow = async (q: Sql, list: List, limit: number, offset: number): Promise<Listed> => {
  const { entries, owning, id, shown, counter } = part(q, list)
  const [row] = await q<Listed[]>`
    select coalesce((select ${counter} from ${owning}), 0) as total,
      array(select ${shown} from ${entries} order by ${id} desc limit ${limit} offset ${offset}) as ids`
  return row!
}

/** From the milestone just above the page; the rest of the way is short. */
export const readDeep = async (q: Sql, list: List, limit: number, offset: number): Promise<Listed> => {
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
        select ${q(owner)}::text as owner, ${q(id)} as id,
          row_number() over (partition by ${q(owner)} order by ${q(id)}) as rank
        from ${q(`publishing.${table}`)} where ${members[name](q)}
      ) e on e.owner = m.owner and e.id = m.id
      where m.list = ${name} and m.rank is distinct from e.rank`
    found.push(...rows.map((row) => ({ subject: `${name} of ${row.owner}`, rank: row.rank })))
  }
  return found
}
