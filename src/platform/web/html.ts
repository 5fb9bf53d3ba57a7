/** Text that is safe to send as HTML. A class, so that no value parsed from data can pass for one. */
export class Html {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString() {
    return this.#text
  }
}

export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const special = /[&<>"']/g
const escapeText = (text: string) => text.replace(special, (character) => entities[character]!)

const render = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(render).join('')
  return escapeText(String(value))
}

/** Builds HTML; whatever is interpolated is escaped unless it is HTML already. Quote every attribute. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html => {
  let text = strings[0]!
  for (let i = 0; i < values.length; i++) text += render(values[i]) + strings[i + 1]!
  return new Html(text)
}

/** Marks a string of our own as HTML. Never for anything that came from outside. */
export const raw = (trusted: string): Html => new Html(trusted)

export const joinHtml = (values: readonly HtmlValue[], separator: HtmlValue): Html =>
  new Html(values.map(render).join(render(separator)))
