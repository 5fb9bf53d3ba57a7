import type { Sql } from '#platform/db/database.ts'

type Difference = { subject: string; counter: number; counted: number }

/** Replies, quotes or reposts that everybody sees who may see the post below which they stand. */
const countedBelow = (q: Sql, column: string, counter: string) => q<Difference[]>`
  select 'post ' || p.id as subject, p.${q(counter)} as counter, coalesce(n.count, 0)::int as counted
  from publishing.posts p left join (
    select t.id, count(*) from publishing.posts c join publishing.posts t on t.id = c.${q(column)}
    where c.deleted_at is null and (c.audience = 'public' or c.author_id = t.author_id) group by 1) n on n.id = p.id
  where p.deleted_at is null and p.${q(counter)} <> coalesce(n.count, 0)`

/** For each counter, the rows where it does not equal what it counts. */
export const counters: Record<string, (q: Sql) => PromiseLike<Difference[]>> = {
  post_count: (q) => q<Difference[]>`
    select '@' || handle as subject, post_count as counter, coalesce(n.count, 0)::int as counted
    from publishing.users u left join (
      select author_id, count(*) from publishing.posts where deleted_at is null group by 1) n on n.author_id = u.id
    where u.deleted_at is null and post_count <> coalesce(n.count, 0)`,
  follower_count: (q) => q<Difference[]>`
    select '@' || handle as subject, follower_count as counter, coalesce(n.count, 0)::int as counted
    from publishing.users u left join (
      select f.followee_id, count(*) from publishing.follows f join publishing.users a on a.id = f.follower_id
      where f.is_accepted and not a.is_suspended group by 1) n on n.followee_id = u.id
    where follower_count <> coalesce(n.count, 0)`,
  following_count: (q) => q<Difference[]>`
    select '@' || handle as subject, following_count as counter, coalesce(n.count, 0)::int as counted
    from publishing.users u left join (
      select f.follower_id, count(*) from publishing.follows f join publishing.users b on b.id = f.followee_id
      where f.is_accepted and not b.is_suspended group by 1) n on n.follower_id = u.id
    where following_count <> coalesce(n.count, 0)`,
  like_count: (q) => q<Difference[]>`
    select 'post ' || p.id as subject, like_count as counter, coalesce(n.count, 0)::int as counted
    from publishing.posts p left join (
      select l.post_id, count(*) from publishing.likes l join publishing.users u on u.id = l.user_id
      where not u.is_suspended group by 1) n on n.post_id = p.id
    where like_count <> coalesce(n.count, 0)`,
  reply_count: (q) => countedBelow(q, 'parent_id', 'reply_count'),
  quote_count: (q) => countedBelow(q, 'quote_of_id', 'quote_count'),
  repost_count: (q) => countedBelow(q, 'repost_of_id', 'repost_count'),
  tag_count: (q) => q<Difference[]>`
    select '#' || t.tag as subject, post_count as counter, coalesce(n.count, 0)::int as counted
    from publishing.tags t left join (select tag, count(*) from publishing.post_tags group by 1) n on n.tag = t.tag
    where post_count <> coalesce(n.count, 0)`,
}

export const audiences = (q: Sql) => q<{ id: number; audience: string; expected: string }[]>`
  select * from (
    select p.id, p.audience, case when u.is_suspended then 'nobody' when u.is_protected then 'followers'
      else 'public' end as expected
    from publishing.posts p join publishing.users u on u.id = p.author_id where p.deleted_at is null
  ) each where audience <> expected`

/** The account and the posts that a post refers to, for which there are no foreign keys. */
export const references = (q: Sql) => q<{ id: number; missing: string }[]>`
  select distinct p.id, case when u.id is null then 'account ' || p.author_id else 'post ' || r.id end as missing
  from publishing.posts p
  left join publishing.users u on u.id = p.author_id
  cross join lateral unnest(array[p.parent_id, p.root_id, p.quote_of_id, p.repost_of_id]) r (id)
  left join publishing.posts t on t.id = r.id
  where u.id is null or (r.id is not null and t.id is null)`

/** Every public post, and no other, can be found by search and by its hashtags. */
export const searchIndex = (q: Sql) => q<{ id: number; is_public: boolean }[]>`
  select p.id, p.audience = 'public' as is_public from publishing.posts p
    left join publishing.post_words w on w.post_id = p.id
  where p.type <> 'repost' and (p.audience = 'public') <> (w.post_id is not null)
  union
  select p.id, p.audience = 'public' from publishing.posts p
  where cardinality(p.hashtags) * (p.audience = 'public')::int <>
    (select count(*) from publishing.post_tags t where t.tag = any (p.hashtags) and t.post_id = p.id)
  union
  select t.post_id, p.audience = 'public' from publishing.post_tags t left join publishing.posts p on p.id = t.post_id
  where t.tag <> all (p.hashtags) is not false`

/** Likes and follows of suspended accounts, and follow requests, are not counted. */
export const countedRows = (q: Sql) => q<{ subject: string; counted: boolean }[]>`
  select 'like of post ' || l.post_id || ' by @' || u.handle as subject, l.is_counted as counted
  from publishing.likes l join publishing.users u on u.id = l.user_id where l.is_counted = u.is_suspended
  union all
  select '@' || a.handle || ' following @' || b.handle, f.counts_as_follower or f.counts_as_following
  from publishing.follows f join publishing.users a on a.id = f.follower_id
    join publishing.users b on b.id = f.followee_id
  where f.counts_as_follower <> (f.is_accepted and not a.is_suspended)
    or f.counts_as_following <> (f.is_accepted and not b.is_suspended)`

/** An account shows each of its uploaded pictures and no others, and each has its files. */
export const pictures = (q: Sql) => q<{ subject: string; detail: string }[]>`
  with shown as (
    select u.id as user_id, u.handle, k.kind, k.url as path from publishing.users u
    cross join lateral (values ('avatar', u.avatar_url), ('banner', u.banner_url)) k (kind, url)
    where starts_with(k.url, '/media/'))
  select '@' || s.handle || ' ' || s.kind as subject, 'its picture is missing' as detail
  from shown s left join publishing.pictures p using (user_id, kind, path) where p.path is null
  union all
  select '@' || u.handle || ' ' || p.kind, 'the account does not show its picture'
  from publishing.pictures p join publishing.users u on u.id = p.user_id
  left join shown s using (user_id, kind, path) where s.path is null
  union all
  select '@' || u.handle || ' ' || p.kind, 'it has ' || count(f.id) || ' files instead of 2'
  from publishing.pictures p join publishing.users u on u.id = p.user_id
  left join publishing.picture_files f using (path) group by u.handle, p.kind having count(f.id) <> 2`
