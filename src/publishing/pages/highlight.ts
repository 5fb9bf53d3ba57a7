import { parseTerms } from '../search/terms.ts'

/** Returns a function that marks the words of a search in the HTML of a post, but never inside tags or entities. */
export const highlighter = (query: string) => {
  const words = parseTerms(query)?.words ?? []
  if (words.length === 0) return (contentHtml: string) => contentHtml
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map((word) => RegExp.escape(word))
  const pattern = new RegExp(`<[^>]*>|&#?\\w+;|(${longestFirst.join('|')})`, 'giu')
  return (contentHtml: string) =>
    contentHtml.replace(pattern, (found, word?: string) => (word ? `<mark>${word}</mark>` : found))
}
