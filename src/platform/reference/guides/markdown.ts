import MarkdownIt from 'markdown-it'
import { type Html, raw } from '#platform/web/html.ts'
import { codePanel } from '../code.ts'

/** The id of a heading, as GitHub makes it, so that links between guides work in both places. */
const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** A link to another guide, within the page, or to a site; what is only in the repository has no address here. */
const addressOf = (href: string) => {
  const guide = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href)
  if (guide) return `${guide[1]}${guide[2] ?? ''}`
  return /^(?:https?:|#|\/)/.test(href) ? href : null
}

const labels: Record<string, string> = { sh: 'Shell', json: 'JSON', sql: 'SQL', ini: 'Configuration' }

const md = new MarkdownIt({ html: false }).disable('image')

md.core.ruler.push('addresses', ({ tokens }) => {
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', slug(tokens[at + 1]?.content ?? ''))
    for (const inner of token.children ?? []) {
      if (inner.type !== 'link_open') continue
      const address = addressOf(String(inner.attrGet('href')))
      if (address === null) inner.attrs = []
      else inner.attrSet('href', address)
    }
  }
})
md.renderer.rules.fence = (tokens, at) => {
  const { info = '', content = '' } = tokens[at] ?? {}
  return String(codePanel(labels[info.trim()] ?? 'Text', content.trimEnd()))
}

export const guideHtml = (text: string): Html => raw(md.render(text))
