import { type Html, html } from '#platform/web/html.ts'

const inlineMark = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^()\s]+)\)/g
const safeTarget = /^(?:https?:|mailto:|[#/])/i
const bullet = /^\s*[-*]\s+/
const numbered = /^\s*\d+[.)]\s+/

const link = (text: string, target: string, source: string) =>
  safeTarget.test(target) ? html`<a href="${target}">${text}</a>` : html`${source}`

/** `code`, **bold** and [links](https://…) inside one line of text; everything else is plain text. */
export const inlineMarkdown = (text: string): Html => {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(inlineMark)) {
    const [source, code, bold, label, target] = match
    parts.push(html`${text.slice(end, match.index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<strong>${inlineMarkdown(bold)}</strong>`)
    else parts.push(link(label!, target!, source))
    end = match.index + source.length
  }
  return html`${parts}${text.slice(end)}`
}

/** Lines that start an item open a new one; other lines continue the item before them. */
const items = (lines: string[], mark: RegExp) => {
  const found: string[] = []
  for (const line of lines) {
    if (mark.test(line) || found.length === 0) found.push(line.replace(mark, ''))
    else found.push(`${found.pop()} ${line.trim()}`)
  }
  return found.map((item) => html`<li>${inlineMarkdown(item)}</li>`)
}

const paragraph = (lines: string[]) =>
  lines.length > 0 ? html`<p>${inlineMarkdown(lines.join(' '))}</p>` : null

const block = (text: string): Html => {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => bullet.test(line) || numbered.test(line))
  if (start < 0) return html`${paragraph(lines)}`
  const list = lines.slice(start)
  const intro = paragraph(lines.slice(0, start))
  return bullet.test(list[0]!)
    ? html`${intro}<ul>${items(list, bullet)}</ul>`
    : html`${intro}<ol>${items(list, numbered)}</ol>`
}

/** Paragraphs and flat lists: what descriptions need, and nothing that could carry markup of its own. */
export const markdown = (text: string | undefined): Html | null => {
  const trimmed = text?.replaceAll('\r\n', '\n').trim()
  return trimmed ? html`<div class="prose">${trimmed.split(/\n\s*\n/).map(block)}</div>` : null
}
