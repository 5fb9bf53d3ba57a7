import type { Sql } from '#platform/db/database.ts'
import type { Finding } from '#platform/http/service.ts'
import type { Publishing } from './context.ts'

type Difference = { subject: string; kept: number; counted: number }

const counters: Record<string, (q: Sql) => PromiseLike<Difference[]>> = {
  post_count: (q) => q<Difference[]>`
    select '@' || handle as subject, post_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.users u left join (
      select author_id, count(*) from publishing.posts where deleted_at is null group by 1) n on n.author_id = u.id
    where u.deleted_at is null and post_count <> coalesce(n.count, 0)`,
  follower_count: (q) => q<Difference[]>`
    select '@' || handle as subject, follower_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.users u left join (
      select followee_id, count(*) from publishing.follows where is_accepted group by 1) n on n.followee_id = u.id
    where follower_count <> coalesce(n.count, 0)`,
  following_count: (q) => q<Difference[]>`
    select '@' || handle as subject, following_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.users u left join (
      select follower_id, count(*) from publishing.follows where is_accepted group by 1) n on n.follower_id = u.id
    where following_count <> coalesce(n.count, 0)`,
  like_count: (q) => q<Difference[]>`
    select 'post ' || p.id as subject, like_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.posts p left join (select post_id, count(*) from publishing.likes group by 1) n on n.post_id = p.id
    where like_count <> coalesce(n.count, 0)`,
  reply_count: (q) => q<Difference[]>`
    select 'post ' || p.id as subject, reply_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.posts p left join (
      select parent_id, count(*) from publishing.posts where deleted_at is null group by 1) n on n.parent_id = p.id
    where p.deleted_at is null and reply_count <> coalesce(n.count, 0)`,
  quote_count: (q) => q<Difference[]>`
    select 'post ' || p.id as subject, quote_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.posts p left join (
      select quote_of_id, count(*) from publishing.posts where deleted_at is null group by 1) n on n.quote_of_id = p.id
    where p.deleted_at is null and quote_count <> coalesce(n.count, 0)`,
  repost_count: (q) => q<Difference[]>`
    select 'post ' || p.id as subject, repost_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.posts p left join (
      select repost_of_id, count(*) from publishing.posts where deleted_at is null group by 1) n on n.repost_of_id = p.id
    where p.deleted_at is null and repost_count <> coalesce(n.count, 0)`,
  tag_count: (q) => q<Difference[]>`
    select '#' || t.tag as subject, post_count as kept, coalesce(n.count, 0)::int as counted
    from publishing.tags t left join (select tag, count(*) from publishing.post_tags group by 1) n on n.tag = t.tag
    where post_count <> coalesce(n.count, 0)`,
}

const audiences = (q: Sql) => q<{ id: number; audience: string; expected: string }[]>`
  select * from (
    select p.id, p.audience, case when u.is_suspended then 'nobody' when u.is_protected then 'followers'
      else 'public' end as expected
    from publishing.posts p join publishing.users u on u.id = p.author_id where p.deleted_at is null
  ) each where audience <> expected`

/** Search and hashtags hold every public post, and no other. */
const terms = (q: Sql) => q<{ id: number; is_public: boolean }[]>`
  select p.id, p.audience = 'public' as is_public from publishing.posts p
    left join publishing.post_words w on w.post_id = p.id
  where p.type <> 'repost' and (p.audience = 'public') <> (w.post_id is not null)
  union
  select p.id, p.audience = 'public' from publishing.posts p
  where cardinality(p.hashtags) * (p.audience = 'public')::int <>
    (select count(*) from publishing.post_tags t where t.post_id = p.id)`

/** Every counter equals what it counts, and every post has the audience of its author. */
export const verify = async (ctx: Publishing): Promise<Finding[]> => {
  const found: Finding[] = []
  for (const [invariant, check] of Object.entries(counters))
    for (const { subject, kept, counted } of await check(ctx.db.sql))
      found.push({ invariant, subject, detail: `says ${kept}, but there are ${counted}` })
  for (const { id, audience, expected } of await audiences(ctx.db.sql))
    found.push({ invariant: 'audience', subject: `post ${id}`, detail: `${audience} instead of ${expected}` })
  for (const { id, is_public } of await terms(ctx.db.sql))
    found.push({
      invariant: 'search index',
      subject: `post ${id}`,
      detail: is_public ? 'is public but cannot be found' : 'can be found but is not public',
    })
  return found
}
