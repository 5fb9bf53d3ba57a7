import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Lru, lru } from '#platform/cache/lru.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Publishing } from '../context.ts'
import { samplePosts } from './store.ts'
import { type SearchTerms, trigramLength, tsqueryOf } from './terms.ts'

const sampleSize = 3_000
/** Selectivity is estimated from fewer texts: that is enough to tell common words from rare ones. */
const comparedSize = 500
const countedAtOnce = 100
const maxAgeMs = 60_000

/** How to search: in which share of all posts the words occur, about, and the query for the index. */
export type Plan = { selectivity: number; tsquery: string }

/** Texts of posts. Only how to search depends on them, never what is found, so they may be a minute old. */
type Sample = { texts: readonly string[]; trigramCounts: ReadonlyMap<string, number>; plans: Lru<Plan> }

/** Counts a few texts at a time, so that other requests are not held up. */
const countTrigrams = async (texts: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const [n, text] of texts.entries()) {
    if (n % countedAtOnce === countedAtOnce - 1) await yieldToOthers()
    for (let start = 0; start <= text.length - trigramLength; start++) {
      const trigram = text.slice(start, start + trigramLength)
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
    }
  }
  return counts
}

const samples = moduleState(({ db }: Platform) => {
  let current: { sample: Promise<Sample>; until: number } | null = null
  const take = async (): Promise<Sample> => {
    const texts = await samplePosts(db.sql, sampleSize)
    const step = Math.max(1, Math.floor(texts.length / comparedSize))
    const compared = texts.filter((_, n) => n % step === 0)
    return { texts: compared, trigramCounts: await countTrigrams(texts), plans: lru(1_000) }
  }
  return {
    get(): Promise<Sample> {
      const now = Date.now()
      if (current && current.until >= now) return current.sample
      const started = { sample: take(), until: now + maxAgeMs }
      current = started
      started.sample.catch(() => {
        if (current === started) current = null
      })
      return started.sample
    },
  }
})

const selectivityOf = ({ texts }: Sample, { words }: SearchTerms) =>
  texts.length === 0
    ? 0
    : texts.filter((text) => words.every((word) => text.includes(word))).length / texts.length

/** Each further trigram costs the index more than the texts it rules out; a single word needs some. */
const trigramsPerWord = ({ words }: SearchTerms) => (words.length === 1 ? 3 : 1)

const pickRarest =
  ({ trigramCounts }: Sample, count: number) =>
  (trigrams: string[]) =>
    trigrams.length <= count
      ? trigrams
      : trigrams.toSorted((a, b) => (trigramCounts.get(a) ?? 0) - (trigramCounts.get(b) ?? 0)).slice(0, count)

/** Plans are kept: the same words are searched again, page by page and by many. */
export const planFor = async (ctx: Publishing, terms: SearchTerms): Promise<Plan> => {
  const sample = await samples(ctx).get()
  const key = terms.words.join(' ')
  const known = sample.plans.get(key)
  if (known) return known
  const tsquery = tsqueryOf(terms, pickRarest(sample, trigramsPerWord(terms)))
  const plan = { selectivity: selectivityOf(sample, terms), tsquery }
  sample.plans.set(key, plan)
  return plan
}
