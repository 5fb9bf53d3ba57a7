import MarkdownIt from 'markdown-it'

export type Node = string | { tag: string; href?: string; children: Node[] }

const parser = new MarkdownIt({ html: false, linkify: true })

type Token = ReturnType<typeof parser.parse>[number]

/** Headings begin below those of the panel. */
const lowered = (tag: string) => tag.replace(/^h([1-6])$/, (_, level) => `h${Math.min(6, Number(level) + 3)}`)

const isSafe = (href: string) => /^(?:https?:|mailto:)/i.test(href)

const leaf = (token: Token): Node[] => {
  switch (token.type) {
    case 'text':
      return [token.content]
    case 'softbreak':
      return ['\n']
    case 'code_inline':
      return [{ tag: 'code', children: [token.content] }]
    case 'fence':
    case 'code_block':
      return [{ tag: 'pre', children: [{ tag: 'code', children: [token.content] }] }]
    case 'image':
      return [token.content]
    case 'inline':
      return treeOf(token.children ?? [])
    default:
      return token.tag ? [{ tag: token.tag, children: [] }] : [token.content]
  }
}

/** The parser gives a list in which elements open and close. */
const treeOf = (tokens: readonly Token[]): Node[] => {
  const root: Node[] = []
  const open: Node[][] = [root]
  for (const token of tokens) {
    const into = open.at(-1) as Node[]
    if (token.nesting === 1) {
      const children: Node[] = []
      const href = String(token.attrGet('href') ?? '')
      // Paragraphs of tight lists are hidden: what is in them belongs to the item.
      if (token.hidden) open.push(into)
      else {
        into.push({ tag: lowered(token.tag), children, ...(isSafe(href) ? { href } : {}) })
        open.push(children)
      }
    } else if (token.nesting === -1) open.pop()
    else into.push(...leaf(token))
  }
  return root
}

export const parseMarkdown = (text: string): Node[] => treeOf(parser.parse(text, {}))
