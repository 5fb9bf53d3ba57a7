import { fold } from '../words.ts'

const gram = 4
const maxWords = 12

/** What has to be found: a query over runs of four characters, and the words too long for a run to prove. */
export type Wanted = { grams: string; words: string[]; long: string[] }

const quoted = (text: string) => `'${text.replace(/['\\]/g, '$&$&')}'`

/** A longer word is covered by runs side by side, and proved by the text itself; a shorter one begins some run. */
const runsOf = (word: string): string[] => {
  const letters = [...word]
  if (letters.length < gram) return [`${quoted(word)}:*`]
  const last = letters.length - gram
  const starts = new Set([...Array.from({ length: Math.ceil(last / gram) }, (_, n) => n * gram), last])
  return [...starts].map((at) => quoted(letters.slice(at, at + gram).join('')))
}

/** Nothing when the text holds nothing to look for. */
export const wantedBy = (text: string): Wanted | null => {
  const words = [...new Set(fold(text.trim().replace(/^[#@]/, '')).split(' '))].filter(Boolean)
  if (words.length === 0) return null
  const used = words.slice(0, maxWords)
  return {
    grams: [...new Set(used.flatMap(runsOf))].join(' & '),
    words: used,
    long: used.filter((word) => [...word].length > gram),
  }
}
