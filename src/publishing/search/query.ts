import { fold } from '../words.ts'

/** Of the runs in the index. */
export const runLength = 3
const maxIndexed = 12

/** What has to be found; `long` are the words that no run in the index can prove, only the text itself. */
export type Wanted = { words: string[]; long: string[] }

const quoted = (text: string) => `'${text.replace(/['\\]/g, '$&$&')}'`
const lengthOf = (word: string) => [...word].length

/** The runs of three characters in a word: all of them, or as many side by side as it consists of. */
const runsOf = (word: string, step = 1): string[] => {
  const letters = [...word]
  const last = letters.length - runLength
  const starts = new Set([...Array.from({ length: Math.ceil(last / step) }, (_, n) => n * step), last])
  return [...starts].map((at) => letters.slice(at, at + runLength).join(''))
}

/** Nothing when the text holds nothing to look for. */
export const wantedBy = (text: string): Wanted | null => {
  const words = [...new Set(fold(text.trim().replace(/^[#@]/, '')).split(' '))].filter(Boolean)
  if (words.length === 0) return null
  return { words, long: words.filter((word, n) => n >= maxIndexed || lengthOf(word) > runLength) }
}

/** A query that finds every text with these words: by the runs that each consists of, or by those that `pick` prefers. */
export const gramsOf = ({ words }: Wanted, pick?: (runs: string[]) => string[]) => {
  const runs = (word: string) => (pick ? pick(runsOf(word)) : runsOf(word, runLength))
  // A word shorter than a run begins some run.
  const found = words
    .slice(0, maxIndexed)
    .flatMap((word) => (lengthOf(word) < runLength ? [`${quoted(word)}:*`] : runs(word).map(quoted)))
  return [...new Set(found)].join(' & ')
}
