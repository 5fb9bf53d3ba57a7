import { forbidden, notFound } from '#platform/errors.ts'
import type { BucketFacts, Storage } from '../context.ts'
import * as store from './store.ts'

/** What uploads that this node is taking in have been promised. */
export type Arrivals = {
  /** Bytes by the ids of their organizations and of their buckets. */
  bytes: Map<string, number>
  /** The names of what they will replace. */
  replacing: Set<string>
}
export const createArrivals = (): Arrivals => ({ bytes: new Map(), replacing: new Set() })

/** What an upload replaces, and how many bytes go with that. They are room for one upload at a time. */
export type Replaced = { name: string; bytes: (room: store.Room) => Promise<number> | number }

const askAgainAfter = 1024 * 1024

/** A part of what the quotas leave, taken before its bytes arrive and given back when they have, or never will. */
export const reservation = (
  { db, arrivals: { bytes, replacing } }: Storage,
  { id: bucketId, orgId }: BucketFacts,
  replaces: Replaced,
) => {
  let room: store.Room | undefined
  let claimed = false
  let [goes, reserved, askedAt] = [0, 0, 0]

  const ask = async (total: number) => {
    askedAt = total
    room = (await store.findRoom(db.sql, orgId, bucketId)) ?? notFound()
    if (claimed || replacing.has(replaces.name)) return room
    claimed = true
    replacing.add(replaces.name)
    goes = await replaces.bytes(room)
    return room
  }
  const add = (more: number) => {
    reserved += more
    for (const id of [orgId, bucketId]) {
      const sum = (bytes.get(id) ?? 0) + more
      if (sum > 0) bytes.set(id, sum)
      else bytes.delete(id)
    }
  }
  const isMore = (more: number, left: number | null, id: string) =>
    left !== null && more > 0 && more > left - (bytes.get(id) ?? 0)

  return {
    async upTo(total: number) {
      // Others have stored something since; to ask for every chunk would be too often.
      const { organization, bucket } = room && total - askedAt < askAgainAfter ? room : await ask(total)
      const more = Math.max(0, total - goes) - reserved
      if (isMore(more, organization, orgId)) forbidden('The storage quota of the organization is exceeded')
      if (isMore(more, bucket, bucketId)) forbidden('The storage quota of the bucket is exceeded')
      add(more)
    },
    release() {
      add(-reserved)
      if (claimed) replacing.delete(replaces.name)
    },
  }
}
