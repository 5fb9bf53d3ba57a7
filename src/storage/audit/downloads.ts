import type { Sql } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import { insertDownloads } from './store.ts'

/** An object that was sent, wholly or in part. */
export type Download = {
  orgId: string
  userId: string | null
  ip: string
  objectId: string
  bucketId: string
  objectKey: string
  bytes: number
  at: Date
}

/** Downloads are recorded after the fact, many with one statement. */
export const recordDownloads = (q: Sql, downloads: Download[]) =>
  insertDownloads(
    q,
    downloads.map((download) => ({ ...download, id: uuidv7() })),
  )
