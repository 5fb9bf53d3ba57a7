import { type Html, html, joinHtml } from '#platform/web/html.ts'

const keyAtLineStart = /^(\s*)("(?:[^"\\]|\\.)*")(?=:)/

/** JSON with its keys set apart, text as it is. */
const exampleText = (value: unknown): Html => {
  if (typeof value === 'string') return html`${value}`
  const lines = (JSON.stringify(value, null, 2) ?? '').split('\n').map((line) => {
    const [start, indent, key] = keyAtLineStart.exec(line) ?? []
    return start === undefined ? html`${line}` : html`${indent}<b>${key}</b>${line.slice(start.length)}`
  })
  return joinHtml(lines, '\n')
}

/** A titled box of code. The script adds a copy button to whatever has `data-copy`. */
export const codePanel = (title: string, content: Html | string): Html =>
  html`<figure class="panel" data-copy="Copy ${title}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${content}</code></pre></figure>`

export const examplePanel = (title: string, value: unknown): Html | null =>
  value === undefined ? null : codePanel(title, exampleText(value))

/** A path that can break after its slashes, with its parameters set apart. */
export const pathText = (path: string): Html =>
  html`${path
    .split(/(?<=\/)|(?=\{)|(?<=\})/)
    .map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}<wbr>`))}`
