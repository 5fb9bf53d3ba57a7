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

/** `#tag` or `@handle`, unless it is inside a word, a link, code or an address. */
const named =
  (type: 'hashtag' | 'mention', pattern: RegExp) =>
  (state: StateInline, silent: boolean): boolean => {
    const { src, pos } = state
    if (src[pos] !== (type === 'hashtag' ? '#' : '@') || state.linkLevel > 0) return false
    pattern.lastIndex = pos
    const name = pattern.exec(src)?.[1]
    if (name === undefined || wordBefore.test(src.slice(Math.max(0, pos - 2), pos))) return false
    if (type === 'hashtag' && (!/\p{L}/u.test(name) || [...name].length > maxTagLength)) return false
    if (!silent) state.push(type, '', 0).content = name
    state.pos += 1 + name.length
    return true
  }
md.inline.ruler.before('newline', 'hashtag', named('hashtag', hashtag))
md.inline.ruler.before('newline', 'mention', named('mention', mention))

const { escapeHtml } = md.utils
const tagOf = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC')

/** The tag that somebody asks for: `#Tag`, `tag` and `TAG` are the same. */
export const parseTag = (text: string) => tagOf(text.replace(/^#/, ''))

/** The handles of accounts that exist, by their lower-case form. */
type Known = ReadonlyMap<string, string>

const attributes = 'rel="nofollow ugc noopener noreferrer"'
md.renderer.rules.link_open = (tokens, index) =>
  `<a href="${escapeHtml(String(tokens[index]!.attrGet('href') ?? ''))}" ${attributes}>`
md.renderer.rules.hashtag = (tokens, index) => {
  const { content } = tokens[index]!
  return `<a href="/tags/${encodeURIComponent(tagOf(content))}" rel="tag">#${escapeHtml(content)}</a>`
}
md.renderer.rules.mention = (tokens, index, _, env) => {
  const { content } = tokens[index]!
  const handle = (env as { known: Known }).known.get(content.toLowerCase())
  return handle ? `<a href="/@${handle}">@${content}</a>` : `@${content}`
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
  const tokens = md.parseInline(content, {})
  const parts = tokens.flatMap(({ children }) => children ?? [])
  const of = (type: string) => parts.filter((part) => part.type === type).map((part) => part.content)
  return {
    content,
    hashtags: [...new Set(of('hashtag').map(tagOf))],
    named: [...new Set(of('mention').map((name) => name.toLowerCase()))],
    render: (known) => md.renderer.render(tokens, md.options, { known }),
  }
}
