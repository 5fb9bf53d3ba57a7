import { fold } from '../words.ts'

const gram = 3
const maxIndexed = 12

/** What has to be found; `long` are the words that no run in the index can prove, only the text itself. */
export type Wanted = { words: string[]; long: string[] }

const quoted = (text: string) => `'${text.replace(/['\\]/g, '$&$&')}'`
const lengthOf = (word: string) => [...word].length

/** The runs of three characters that a word consists of, side by side. */
const runsOf = (word: string): string[] => {
  const letters = [...word]
  const last = letters.length - gram
  const starts = new Set([...Array.from({ length: Math.ceil(last / gram) }, (_, n) => n * gram), last])
  return [...starts].map((at) => letters.slice(at, at + gram).join(''))
}

/** Nothing when the text holds nothing to look for. */
export const wantedBy = (text: string): Wanted | null => {
  const words = [...new Set(fold(text.trim().replace(/^[#@]/, '')).split(' '))].filter(Boolean)
  if (words.length === 0) return null
  return { words, long: words.filter((word, n) => n >= maxIndexed || lengthOf(word) > gram) }
}

/** A query that finds every text with these words: by all the runs of each, or by those that `pick` prefers. */
export const gramsOf = ({ words }: Wanted, pick = (runs: string[]) => runs) =>
  [
    ...new Set(
      // A word shorter than a run begins some run.
      words
        .slice(0, maxIndexed)
        .flatMap((word) => (lengthOf(word) < gram ? [`${quoted(word)}:*`] : pick(runsOf(word)).map(quoted))),
    ),
  ].join(' & ')
