import MarkdownIt from 'markdown-it'
import { type Html, html, raw } from '#platform/web/html.ts'

// Markup in a description stays text. Images are off because the page loads nothing from elsewhere.
const md = new MarkdownIt({ html: false }).disable('image')
md.validateLink = (target) => /^(?:https?:|mailto:|[#/])/i.test(target)

/** `code`, **bold** and [links](https://…) inside one line of text. */
export const inlineMarkdown = (text: string): Html => raw(md.renderInline(text))

/** A description: paragraphs, lists and whatever else CommonMark has. */
export const markdown = (text: string | undefined): Html | null =>
  text?.trim() ? html`<div class="prose">${raw(md.render(text))}</div>` : null
