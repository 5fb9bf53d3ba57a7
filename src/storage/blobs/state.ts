import { LRUCache } from 'lru-cache'
import type { Engine } from '#platform/blobs/engine.ts'
import { openEngine, openSpace } from '#platform/blobs/open.ts'
import type { Space } from '#platform/blobs/space.ts'
import { type Lru, lru } from '#platform/cache/lru.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { BlobRow } from './store.ts'

export const damageTopic = 'storage.blob-damage'

type Blobs = {
  engine: Engine
  space: Space
  /** The bytes of small blobs that are read often. Blobs are immutable, so entries never have to be invalidated. */
  bytes: LRUCache<string, Buffer>
  /** The blob of a cached content, for as long as the content is cached and no blob was found damaged. */
  known: {
    get(content: object): readonly BlobRow[] | undefined
    set(content: object, blobs: readonly BlobRow[]): void
  }
  /** When blobs were last found intact, by id. */
  verifiedAt: Lru<number>
}

const maxCachedBytes = 32 * 1024 * 1024
const maxVerified = 100_000

export const blobs = moduleState((platform: Platform): Blobs => {
  const { config, signals } = platform
  let known = new WeakMap<object, readonly BlobRow[]>()
  const forget = () => {
    known = new WeakMap()
  }
  signals.on(damageTopic, forget)
  signals.onGap(forget)
  return {
    engine: openEngine(config, ''),
    space: openSpace(platform),
    bytes: new LRUCache({
      maxSize: Math.ceil(maxCachedBytes / config.workers),
      sizeCalculation: ({ length }) => Math.max(1, length),
    }),
    known: { get: (content) => known.get(content), set: (content, rows) => void known.set(content, rows) },
    verifiedAt: lru(maxVerified),
  }
})
