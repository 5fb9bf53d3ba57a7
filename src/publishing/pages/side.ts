import { html } from '#platform/web/html.ts'
import type { Reader } from '../context.ts'
import type { Post } from '../posts/schema.ts'
import { avatar } from './avatar.ts'

const maxTags = 8
const maxPeople = 5

/** The tags of these posts, those that are used most first. */
const tagsIn = (posts: readonly Post[]) => {
  const uses = new Map<string, number>()
  for (const tag of posts.flatMap(({ hashtags }) => hashtags)) uses.set(tag, (uses.get(tag) ?? 0) + 1)
  const sorted = [...uses].toSorted(([, a], [, b]) => b - a)
  return sorted.slice(0, maxTags).map(([tag]) => tag)
}

/** Who wrote these posts, except the reader. */
const authorsOf = (posts: readonly Post[], reader: Reader) => {
  const authors = new Map(posts.map(({ author }) => [author.id, author]))
  if (reader) authors.delete(reader.userId)
  return [...authors.values()].slice(0, maxPeople)
}

/** Beside a timeline, where the screen has room: the tags and the people in it. */
export const sideColumn = (posts: readonly Post[], reader: Reader, withPeople: boolean) => {
  const tags = tagsIn(posts)
  const people = withPeople ? authorsOf(posts, reader) : []
  if (tags.length === 0 && people.length === 0) return null
  return html`<section class="side" aria-label="In these posts">${
    tags.length > 0 &&
    html`<h2>Tags</h2><ul class="tags">${tags.map((tag) => html`<li><a class="button" href="/tags/${encodeURIComponent(tag)}"><bdi>#${tag}</bdi></a></li>`)}</ul>`
  }${
    people.length > 0 &&
    html`<h2>People</h2><ul>${people.map((author) => html`<li><a href="/@${author.handle}">${avatar(author)}<span><b dir="auto">${author.username}</b><br>@${author.handle}</span></a></li>`)}</ul>`
  }</section>`
}
