import { SaxesParser } from 'saxes'
import { refuse } from '../errors.ts'

/** An element of a document: its own text, and its children in their order. Attributes and namespaces do not matter. */
export type Element = { name: string; text: string; children: Element[] }

const maxDepth = 12

const malformed = (message?: string): never => refuse('MalformedXML', message)

/** Parses a document strictly. Document types, and with them entities of their own, are refused. */
export const readXml = (text: string, root: string): Element => {
  const top: Element = { name: '', text: '', children: [] }
  const open = [top]
  const parser = new SaxesParser()
  const innermost = () => open.at(-1) as Element
  parser.on('error', () => malformed())
  parser.on('doctype', () => malformed('Document types are not allowed'))
  parser.on('opentag', ({ name }) => {
    if (open.length > maxDepth) malformed('The XML is nested too deeply')
    const element = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] }
    innermost().children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  const add = (some: string) => {
    innermost().text += some
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(text).close()
  const [found] = top.children
  return found?.name === root ? found : malformed(`The root element must be ${root}`)
}

export const childrenOf = ({ children }: Element, name: string) =>
  children.filter((child) => child.name === name)

/** A child that may be there once. */
export const onlyChild = (element: Element, name: string): Element | undefined => {
  const found = childrenOf(element, name)
  if (found.length > 1) malformed(`${element.name} must have one ${name}`)
  return found[0]
}

/** The text of such a child. */
export const textOf = (element: Element, name: string): string | undefined => onlyChild(element, name)?.text

export const requiredText = (element: Element, name: string): string =>
  textOf(element, name) ?? malformed(`${element.name} must have a ${name}`)
