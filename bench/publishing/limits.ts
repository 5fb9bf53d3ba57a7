/** The same work as plain statements, for the driver alone. */

const shown = `
  p.id, p.content, p.content_html, p.type, p.parent_id, p.root_id, p.quote_of_id, p.repost_of_id, p.reply_settings,
  p.like_count, p.repost_count, p.quote_count, p.reply_count, p.hashtags, p.mentions, p.created_at, p.edited_at,
  u.id as author, u.username, u.handle, u.avatar_url, u.is_verified`

export const exploreQuery = `
  select ${shown} from publishing.posts p join publishing.users u on u.id = p.author_id
  where p.audience = 'public' and p.type <> 'repost' order by p.id desc limit 21`

export const tagQuery = `
  select ${shown} from publishing.post_tags t join publishing.posts p on p.id = t.post_id
    join publishing.users u on u.id = p.author_id
  where t.tag = $1 order by t.post_id desc limit 21`

export const userQuery = `
  select ${shown}, u.post_count from publishing.posts p join publishing.users u on u.id = p.author_id
  where p.author_id = $1 and p.deleted_at is null order by p.id desc limit 20`

/** The very row that a post is, with its indexes. */
export const insertQuery = `
  insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
  values ($1, 'post', $2, $2, 'public', now()) returning id`
