import MarkdownIt, { type StateInline } from 'markdown-it'
import { invalid } from '#platform/errors.ts'
import { toWebAddress } from '../web-address.ts'

const maxLength = 280
const maxTagLength = 100

/** A character has one or two code units, so most texts need not be split into characters to be counted. */
const isTooLong = (text: string) =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength)

/** Posts are stored in NFC without surrounding white space; their length is counted in Unicode characters. */
export const normalizeContent = (text: string) => {
  const content = text.normalize('NFC').trim()
  if (content === '') invalid('content', 'must not be empty')
  if (isTooLong(content)) invalid('content', `must have at most ${maxLength} characters`)
  return content
}

const md = new MarkdownIt('zero', { html: false, linkify: true, breaks: true }).enable([
  'newline',
  'escape',
  'backticks',
  'strikethrough',
  'emphasis',
  'link',
  'autolink',
  'linkify',
])
md.core.ruler.disable('linkify') // only addresses with a scheme become links
md.validateLink = (url) => toWebAddress(url) !== null

const wordBefore = /[\p{L}\p{N}\p{M}_&#@/]$/u
const hashtag = /#([\p{L}\p{N}\p{M}_]+)/uy
const mention = /@([A-Za-z0-9_]{3,30})(?![\p{L}\p{N}\p{M}_@])/uy

/** A piece of a text: plain text, or the name in a hashtag or a mention. */
type Part = { type: string; content: string }

/** `#tag` or `@handle` at a position, unless it is inside a word or an address. */
const namedAt = (text: string, pos: number): (Part & { end: number }) | null => {
  const type = text[pos] === '#' ? 'hashtag' : text[pos] === '@' ? 'mention' : null
  if (type === null) return null
  const pattern = type === 'hashtag' ? hashtag : mention
  pattern.lastIndex = pos
  const content = pattern.exec(text)?.[1]
  if (content === undefined || wordBefore.test(text.slice(Math.max(0, pos - 2), pos))) return null
  if (type === 'hashtag' && (!/\p{L}/u.test(content) || [...content].length > maxTagLength)) return null
  return { type, content, end: pos + 1 + content.length }
}

md.inline.ruler.before('newline', 'named', (state: StateInline, silent: boolean) => {
  const found = state.linkLevel > 0 ? null : namedAt(state.src, state.pos)
  if (!found) return false
  if (!silent) state.push(found.type, '', 0).content = found.content
  state.pos = found.end
  return true
})

const { escapeHtml } = md.utils
const tagOf = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC')

/** The tag that somebody asks for: `#Tag`, `tag` and `TAG` are the same. */
export const parseTag = (text: string) => tagOf(text.replace(/^#/, ''))

/** The handles of accounts that exist, by their lower-case form. */
type Known = ReadonlyMap<string, string>

const renderPart = ({ type, content }: Part, known: Known) => {
  if (type === 'hashtag')
    return `<a href="/tags/${encodeURIComponent(tagOf(content))}" rel="tag">#${escapeHtml(content)}</a>`
  if (type === 'text') return escapeHtml(content)
  const handle = known.get(content.toLowerCase())
  return handle ? `<a href="/@${handle}">@${content}</a>` : `@${content}`
}

const attributes = 'rel="nofollow ugc noopener noreferrer"'
md.renderer.rules.link_open = (tokens, index) =>
  `<a href="${escapeHtml(String(tokens[index]!.attrGet('href') ?? ''))}" ${attributes}>`
for (const type of ['hashtag', 'mention'])
  md.renderer.rules[type] = (tokens, index, _, env) =>
    renderPart(tokens[index]!, (env as { known: Known }).known)

type Parsed = { parts: readonly Part[]; render(known: Known): string }

const parseMarkdown = (text: string): Parsed => {
  const tokens = md.parseInline(text, {})
  return {
    parts: tokens.flatMap(({ children }) => children ?? []),
    render: (known) => md.renderer.render(tokens, md.options, { known }),
  }
}

/** Without any of these characters, Markdown has nothing to find. */
const markdown = /[\n\r\\`*_~[<]|:\/\//

/** Most posts are plain text. To read them as Markdown would take several times as long, with the same result. */
const parsePlainText = (text: string): Parsed => {
  const parts: Part[] = []
  let start = 0
  for (let pos = 0; pos < text.length; pos++) {
    const found = namedAt(text, pos)
    if (!found) continue
    parts.push({ type: 'text', content: text.slice(start, pos) }, found)
    start = found.end
    pos = start - 1
  }
  parts.push({ type: 'text', content: text.slice(start) })
  return { parts, render: (known) => parts.map((part) => renderPart(part, known)).join('') }
}

export type ParsedContent = {
  content: string
  hashtags: string[]
  /** Lower-case handles as written, whether or not there are such accounts. */
  named: string[]
  /** HTML with links to those accounts that exist. */
  render(known: Known): string
}

export const parseContent = (content: string): ParsedContent => {
  const { parts, render } = markdown.test(content) ? parseMarkdown(content) : parsePlainText(content)
  const of = (type: string) => parts.filter((part) => part.type === type).map((part) => part.content)
  return {
    content,
    hashtags: [...new Set(of('hashtag').map(tagOf))],
    named: [...new Set(of('mention').map((name) => name.toLowerCase()))],
    render,
  }
}
