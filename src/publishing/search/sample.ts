import type { Publishing } from '../context.ts'
import { samplePosts } from './store.ts'

const sampleSize = 500
const freshMs = 60_000

/** Only which way to search depends on these texts, never what is found: they may be a minute old. */
type Sample = readonly string[]

const samples = new WeakMap<object, { texts: Promise<Sample>; until: number }>()

export const sampleOf = (ctx: Publishing): Promise<Sample> => {
  const now = Date.now()
  const known = samples.get(ctx.memory)
  if (known && known.until >= now) return known.texts
  const texts = samplePosts(ctx.db.sql, sampleSize)
  samples.set(ctx.memory, { texts, until: now + freshMs })
  texts.catch(() => samples.delete(ctx.memory))
  return texts
}

const hits = (sample: Sample, words: readonly string[]) => {
  let count = 0
  for (const text of sample) if (words.every((word) => text.includes(word))) count++
  return count
}

/** In which share of all posts these words occur, about. */
export const shareOf = (sample: Sample, words: readonly string[]) =>
  sample.length === 0 ? 0 : hits(sample, words) / sample.length

/** The `count` of these runs that the fewest texts hold: what the index has least to read for. */
export const rarest = (sample: Sample, count: number) => (runs: string[]) =>
  runs.length <= count
    ? runs
    : runs
        .map((run) => ({ run, hits: hits(sample, [run]) }))
        .sort((a, b) => a.hits - b.hits)
        .slice(0, count)
        .map(({ run }) => run)
