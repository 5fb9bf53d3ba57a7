import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from '#web/components/states.tsx'
import type { Node } from './markdown-tree.ts'

/** Only elements of this list are made, and no attribute of the text but the address of a link. */
const elements = new Set(
  'h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre code em strong s hr br table thead tbody tr th td'.split(' '),
)

const render = (nodes: Node[]): ComponentChildren =>
  nodes.map((node, n) => {
    if (typeof node === 'string') return node
    const { tag: Tag, href, children } = node
    if (Tag === 'a')
      return href ? (
        <a key={n} href={href} target="_blank" rel="noopener noreferrer nofollow">
          {render(children)}
        </a>
      ) : (
        render(children)
      )
    if (!elements.has(Tag)) return render(children)
    const Element = Tag as 'p'
    return Tag === 'hr' || Tag === 'br' ? <Element key={n} /> : <Element key={n}>{render(children)}</Element>
  })

/** Markdown as elements that this page makes; HTML in it stays text, and images are their descriptions. */
export function Markdown({ text }: { text: string }) {
  const [nodes, setNodes] = useState<Node[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    void import('./markdown-tree.ts').then(({ parseMarkdown }) => {
      if (isCurrent) setNodes(parseMarkdown(text))
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  return nodes ? <div class="markdown">{render(nodes)}</div> : <Skeleton lines={4} />
}
