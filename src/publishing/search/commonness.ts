import type { Publishing } from '../context.ts'
import { samplePosts } from './store.ts'

const sampleSize = 500
const freshMs = 60_000
/** A match in 2 of 100 posts is common: reading the newest ones is then quicker than the index. */
const commonHits = 10

type Sample = { texts: Promise<string[]>; until: number }
const samples = new WeakMap<object, Sample>()

/** Only which way to search depends on this, never what is found: the sample may be a minute old. */
export const isCommon = async (ctx: Publishing, words: readonly string[]) => {
  const now = Date.now()
  let sample = samples.get(ctx.memory)
  if (!sample || sample.until < now) {
    sample = { texts: samplePosts(ctx.db.sql, sampleSize), until: now + freshMs }
    samples.set(ctx.memory, sample)
    sample.texts.catch(() => samples.delete(ctx.memory))
  }
  let hits = 0
  for (const text of await sample.texts) if (words.every((word) => text.includes(word))) hits++
  return hits >= commonHits
}
