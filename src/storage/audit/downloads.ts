import type { Sql } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import { insertDownloads } from './store.ts'

/** An object, or a range of one, that was sent. */
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

/** How many downloads of one object by one reader get a row each, of those that are recorded together. */
const rowsEach = 200

/** Any more downloads of one object by one reader share a row, which has their number. */
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

/** Records many downloads with one statement, after they were sent. */
export const recordDownloads = (q: Sql, downloads: readonly Download[]) =>
  insertDownloads(
    q,
    condensed(downloads).map((download) => ({ ...download, id: uuidv7() })),
  )
