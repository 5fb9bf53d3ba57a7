import { html } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import { relationshipsTo } from '../graph/graph.ts'
import type { Post } from '../posts/schema.ts'
import { countTagged } from '../timelines/timelines.ts'
import { avatar } from './avatar.ts'
import { followButtons } from './follow-buttons.ts'

/** `1,204` takes too much room on a button. */
const shortCount = (count: number) =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count)

const maxTags = 8
const maxPeople = 5

/** The tags of these posts, those that are used most first, with the number of all posts that carry them. */
const tagsIn = async (ctx: Publishing, posts: readonly Post[]) => {
  const uses = new Map<string, number>()
  for (const tag of posts.flatMap(({ hashtags }) => hashtags)) uses.set(tag, (uses.get(tag) ?? 0) + 1)
  const sorted = [...uses].toSorted(([, a], [, b]) => b - a)
  const shown = sorted.slice(0, maxTags).map(([tag]) => tag)
  const counts = await countTagged(ctx, shown)
  return shown.map((tag) => ({ tag, count: counts.get(tag) ?? 0 }))
}

/** Who wrote these posts and is not followed by the reader yet. */
const peopleToFollow = async (ctx: Publishing, posts: readonly Post[], reader: Reader) => {
  const authors = [...new Map(posts.map(({ author }) => [author.id, author])).values()]
  if (!reader) return authors.slice(0, maxPeople)
  const ids = authors.map(({ id }) => id)
  const known = await relationshipsTo(ctx, reader, ids)
  return authors
    .filter(({ id }) => id !== reader.userId && known.get(id)?.status === 'none')
    .slice(0, maxPeople)
}

type Beside = { posts: readonly Post[]; reader: Reader; path: string; withPeople: boolean }

/** Beside a timeline, where the screen has room: the tags and the people in it. */
export const sideColumn = async (ctx: Publishing, { posts, reader, path, withPeople }: Beside) => {
  const [tags, people] = await Promise.all([
    tagsIn(ctx, posts),
    withPeople ? peopleToFollow(ctx, posts, reader) : [],
  ])
  const follow = await followButtons(ctx, reader, path, people)
  if (tags.length === 0 && people.length === 0) return null
  return html`<section class="side" aria-label="In these posts">${
    tags.length > 0 &&
    html`<h2>Tags</h2><ul class="tags">${tags.map(({ tag, count }) => html`<li><a class="button" href="/tags/${encodeURIComponent(tag)}" title="${count} ${count === 1 ? 'post' : 'posts'}"><bdi>#${tag}</bdi> <small>${shortCount(count)}</small></a></li>`)}</ul>`
  }${
    people.length > 0 &&
    html`<h2>People</h2><ul>${people.map((author) => html`<li><a href="/@${author.handle}">${avatar(author)}<span><b dir="auto">${author.username}</b><br>@${author.handle}</span></a>${follow(author)}</li>`)}</ul>`
  }</section>`
}
