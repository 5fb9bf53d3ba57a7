/** XML that is ready to be sent. */
export class Xml {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

/** Also escapes white space that parsers would normalize. What XML cannot contain is replaced. */
const escaped = (text: string) =>
  text.replace(
    /[&<>"\p{Cc}\uFFFE\uFFFF]/gu,
    (c) => references[c] ?? (c < '\u007F' || c > '\u009F' ? '\uFFFD' : c),
  )

type Content = Xml | string | number | boolean | null | undefined | Content[] | { [name: string]: Content }

const render = (content: Content): string => {
  if (content === null || content === undefined) return ''
  if (content instanceof Xml) return content.text
  if (Array.isArray(content)) return content.map(render).join('')
  if (typeof content === 'object')
    return Object.entries(content)
      .map(([name, value]) => renderElement(name, value))
      .join('')
  return escaped(String(content))
}

/** A list repeats the element; what is null or undefined is left out. */
const renderElement = (name: string, content: Content): string => {
  if (content === null || content === undefined) return ''
  if (Array.isArray(content)) return content.map((item) => renderElement(name, item)).join('')
  return `<${name}>${render(content)}</${name}>`
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** A document in the namespace of S3. Each field becomes an element, in the order of the fields. */
export const xmlDocument = (root: string, content: Content) =>
  `${declaration}<${root} xmlns="${namespace}">${render(content)}</${root}>`

/** Error documents have no namespace. */
export const plainDocument = (root: string, content: Content) =>
  `${declaration}<${root}>${render(content)}</${root}>`
