import type { Gauged } from '#platform/http/metrics.ts'
import type { Storage } from '../context.ts'
import { blobs } from './state.ts'

/** What the metrics show of the bytes of objects. */
export const measuredBlobs = (ctx: Storage): Gauged[] => [
  {
    name: 'trivet_storage_cached_blobs',
    help: 'Small blobs in the memory of this process',
    value: () => blobs(ctx).bytes.size,
  },
  {
    name: 'trivet_storage_cached_blob_bytes',
    help: 'Their bytes',
    value: () => blobs(ctx).bytes.calculatedSize,
  },
]
