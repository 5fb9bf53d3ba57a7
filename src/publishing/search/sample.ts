import { setImmediate as breathe } from 'node:timers/promises'
import { type Lru, lru } from '#platform/cache/lru.ts'
import type { Publishing } from '../context.ts'
import { runLength } from './query.ts'
import { samplePosts } from './store.ts'

const sampleSize = 3_000
/** So many of the texts are enough to tell what is common. */
const comparedSize = 500
const countedAtOnce = 100
const freshMs = 60_000

/** Only which way to search depends on these texts, never what is found: they may be a minute old. */
type Sample = { texts: readonly string[]; runs: ReadonlyMap<string, number>; ways: Lru<Way> }

/** In which share of all posts words occur, about, and the runs by which the index finds them. */
export type Way = { share: number; grams: string }

const samples = new WeakMap<object, { sample: Promise<Sample>; until: number }>()

/** How often each run of characters occurs in texts, counted a few texts at a time to keep nobody waiting. */
const countRuns = async (texts: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const [n, text] of texts.entries()) {
    if (n % countedAtOnce === countedAtOnce - 1) await breathe()
    for (let at = 0; at <= text.length - runLength; at++) {
      const run = text.slice(at, at + runLength)
      counts.set(run, (counts.get(run) ?? 0) + 1)
    }
  }
  return counts
}

const take = async (ctx: Publishing): Promise<Sample> => {
  const texts = await samplePosts(ctx.db.sql, sampleSize)
  const step = Math.max(1, Math.floor(texts.length / comparedSize))
  const compared = texts.filter((_, n) => n % step === 0)
  return { texts: compared, runs: await countRuns(texts), ways: lru(1_000) }
}

export const sampleOf = (ctx: Publishing): Promise<Sample> => {
  const now = Date.now()
  const known = samples.get(ctx.memory)
  if (known && known.until >= now) return known.sample
  const sample = take(ctx)
  samples.set(ctx.memory, { sample, until: now + freshMs })
  sample.catch(() => samples.delete(ctx.memory))
  return sample
}

/** In which share of all posts these words occur, about. */
export const shareOf = ({ texts }: Sample, words: readonly string[]) =>
  texts.length === 0
    ? 0
    : texts.filter((text) => words.every((word) => text.includes(word))).length / texts.length

/** The `count` of these runs that occur least: what the index has least to read for. */
export const rarest =
  ({ runs: counts }: Sample, count: number) =>
  (runs: string[]) =>
    runs.length <= count
      ? runs
      : runs.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0)).slice(0, count)
