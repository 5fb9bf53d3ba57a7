import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A page of docs/guides: `name` is in its address, `title` its first heading, `text` its Markdown. */
export type Guide = { name: string; title: string; text: string }

const folder = new URL('../../../../docs/guides/', import.meta.url)
const services = ['storage', 'publishing', 'inventory']

const guideOf = (file: string): Guide => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const name = file.replace(/\.md$/, '')
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
}

let kept: Guide[] | undefined

/** All guides in the order of their names, read when they are first asked for; none where docs/ is not installed. */
const allGuides = () => {
  kept ??= (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map(guideOf)
  return kept
}

/** Those of one service, then those that are about all of them, then the others. */
export const guidesFor = (service: string): Guide[] => {
  const rank = ({ title }: Guide) => {
    const owner = services.find((one) => title.toLowerCase().startsWith(`${one}:`))
    return owner === service ? 0 : owner === undefined ? 1 : 2
  }
  return allGuides().toSorted((a, b) => rank(a) - rank(b))
}
