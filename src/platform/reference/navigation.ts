import { type Html, html } from '#platform/web/html.ts'
import { pathText } from './code.ts'
import { anchor, type OpenApiDocument } from './openapi.ts'
import { type Entry, methodBadge } from './operation.ts'

export type Group = { name: string; id: string; description: string | undefined; entries: Entry[] }

/** Operations by their first tag: declared tags in their order, then the others as they appear. */
export const groupsOf = (document: OpenApiDocument, entries: Entry[]): Group[] => {
  const declared = document.tags ?? []
  const names = new Set([...declared.map((tag) => tag.name), ...entries.map((entry) => entry.tags[0]!)])
  return [...names]
    .map((name) => ({
      name,
      id: `tag-${anchor(name)}`,
      description: declared.find((tag) => tag.name === name)?.description,
      entries: entries.filter((entry) => entry.tags[0] === name),
    }))
    .filter((group) => group.entries.length > 0)
}

const entryLink = ({ id, title, method, path }: Entry) =>
  html`<li><a href="#${id}">${methodBadge(method)}<span class="entry"><span>${title}</span><small>${pathText(path)}</small></span></a></li>`

const groupList = ({ id, name, entries }: Group) =>
  html`<li class="group"><a class="tag" href="#${id}">${name}</a><ul>${entries.map(entryLink)}</ul></li>`

type Chapter = { href: string; title: string }

/** Chapters of the introduction, then every operation by tag, then what comes after them. */
export const navigation = (before: readonly Chapter[], groups: Group[], after: readonly Chapter[]): Html => {
  const chapter = ({ href, title }: Chapter) => html`<li><a class="chapter" href="${href}">${title}</a></li>`
  return html`<ul class="contents">${before.map(chapter)}${groups.map(groupList)}${after.map(chapter)}</ul>`
}
