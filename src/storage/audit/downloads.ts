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

/** So many of one object to one reader have a row each, of those that are recorded at once. */
const rowsEach = 200

/** What one reader takes again and again within a moment is one row that tells how often, from then on. */
const condensed = (downloads: readonly Download[]): (Download & { times?: number })[] => {
  const rows: (Download & { times?: number })[] = []
  const seen = new Map<string, { count: number; last: Download & { times?: number } }>()
  for (const download of downloads) {
    const reader = `${download.objectId} ${download.userId} ${download.ip}`
    const known = seen.get(reader)
    if (known && known.count >= rowsEach) {
      known.last.times = (known.last.times ?? 1) + 1
      known.last.bytes += download.bytes
      known.last.at = download.at
    } else {
      const last = { ...download }
      rows.push(last)
      seen.set(reader, { count: (known?.count ?? 0) + 1, last })
    }
  }
  return rows
}

/** Downloads are recorded after the fact, many with one statement. */
export const recordDownloads = (q: Sql, downloads: readonly Download[]) =>
  insertDownloads(
    q,
    condensed(downloads).map((download) => ({ ...download, id: uuidv7() })),
  )
