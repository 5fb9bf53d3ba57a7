import { raw } from '#platform/web/html.ts'
import type { EmbeddedPost, Post } from '../posts/schema.ts'
import { isBlank, onlyText } from '../visible-text.ts'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** What a post says, without its markup. */
export const plainText = ({ content_html }: Pick<EmbeddedPost, 'content_html'>) =>
  content_html
    .replace(/<br>\s*/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name]!)

const segments = new Intl.Segmenter()

/** The beginning of a text in one line, cut between words where there are any. */
export const shorten = (text: string, max: number) => {
  const line = text.replace(/[\s\p{Cc}\p{Noncharacter_Code_Point}]+/gu, ' ').trim()
  const characters = [...segments.segment(line)].map(({ segment }) => segment)
  if (characters.length <= max) return line
  const cut = characters.slice(0, max - 1).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`
}

/** One plain line that tells a post from others. */
export const titleOf = (post: Post) => {
  const original = post.reposted_post
  if (original) return shorten(`Reposted @${original.author.handle}: ${plainText(original)}`, 100)
  const text = shorten(plainText(post), 100)
  return isBlank(text) ? `Post of ${post.created_at.slice(0, 10)}` : text
}

/**
 * Plain text in RSS, where some programs take the text of any element for HTML. The RSS profile asks for numbers instead
 * of names for these characters.
 */
export const plainXml = (text: string) =>
  raw(text.replace(/[&<>]/g, (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`))

/** A whole XML document around its root element. */
export const xmlDocument = (root: { toString(): string }) =>
  `<?xml version="1.0" encoding="utf-8"?>\n${onlyText(String(root))}`
