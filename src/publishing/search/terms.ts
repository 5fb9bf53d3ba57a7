import { toSearchText } from '../search-text.ts'

export const trigramLength = 3
const maxIndexed = 12

/**
 * The words to find. The index can prove that a text contains a word of up to three characters; for `unproven` words,
 * which are longer or beyond those that the index is asked for, the text itself has to be compared.
 */
export type SearchTerms = { words: string[]; unproven: string[] }

const quoted = (text: string) => `'${text.replace(/['\\]/g, '$&$&')}'`
const lengthOf = (word: string) => [...word].length

/** Null if the text has no words. */
export const parseTerms = (text: string): SearchTerms | null => {
  const words = [...new Set(toSearchText(text.trim().replace(/^[#@]/, '')).split(' '))].filter(Boolean)
  if (words.length === 0) return null
  return { words, unproven: words.filter((word, n) => n >= maxIndexed || lengthOf(word) > trigramLength) }
}

/** The trigrams of a word that start at every `step`th character, and the last one. */
const trigramsIn = (word: string, step: number): string[] => {
  const letters = [...word]
  const last = letters.length - trigramLength
  const starts = new Set([...Array.from({ length: Math.ceil(last / step) }, (_, n) => n * step), last])
  return [...starts].map((start) => letters.slice(start, start + trigramLength).join(''))
}

/** A tsquery for texts with all of these words: by trigrams that cover each word, or by those that `pick` chooses. */
export const tsqueryOf = ({ words }: SearchTerms, pick?: (trigrams: string[]) => string[]) => {
  const trigramsOf = (word: string) => (pick ? pick(trigramsIn(word, 1)) : trigramsIn(word, trigramLength))
  // A word shorter than a trigram is the beginning of one.
  const found = words
    .slice(0, maxIndexed)
    .flatMap((word) =>
      lengthOf(word) < trigramLength ? [`${quoted(word)}:*`] : trigramsOf(word).map(quoted),
    )
  return [...new Set(found)].join(' & ')
}
