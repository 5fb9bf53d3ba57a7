import type { Bucket } from './api.ts'

/** What every tab of a bucket is given. */
export type BucketTab = { bucket: Bucket }
