import { moduleState } from '#platform/module-state.ts'
import type { BucketFacts } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { noBucket, refuseOverQuota } from '../refusals.ts'
import * as store from './store.ts'

/** What the uploads that this node is receiving have reserved. */
const reservations = moduleState(() => ({
  /** Bytes by the ids of their organizations and of their buckets. */
  bytes: new Map<string, number>(),
  /** The names of what they will replace. */
  replacing: new Set<string>(),
}))

/** What an upload frees, and how many objects more there will be. */
type Effect = { bytes: number; more: number }

/** What an upload replaces. Only one upload at a time may count on what that frees. */
export type Replaced = { name: string; effect: (room: store.Room) => Promise<Effect> | Effect }

const askAgainAfter = 1024 * 1024

/** A part of the remaining quotas, reserved before the bytes arrive and released when they have been stored or refused. */
export const reservation = (ctx: Storage, { id: bucketId, orgId }: BucketFacts, replaces: Replaced) => {
  const { bytes, replacing } = reservations(ctx)
  let room: store.Room | undefined
  let claimed = false
  let effect: Effect = { bytes: 0, more: 0 }
  let [reserved, askedAt] = [0, 0]

  const ask = async (total: number) => {
    askedAt = total
    room = (await store.findRoom(ctx.db.sql, orgId, bucketId)) ?? noBucket()
    if (claimed || replacing.has(replaces.name)) return room
    claimed = true
    replacing.add(replaces.name)
    effect = await replaces.effect(room)
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
      // Others may have stored something since, but a query per chunk would be too many.
      const { organization, bucket, objects } =
        room && total - askedAt < askAgainAfter ? room : await ask(total)
      const more = Math.max(0, total - effect.bytes) - reserved
      if (isMore(more, organization, orgId)) refuseOverQuota('organization_quota')
      if (isMore(more, bucket, bucketId)) refuseOverQuota('bucket_quota')
      // Not reserved: until an upload ends, it costs no row.
      if (effect.more > 0 && effect.more > objects) refuseOverQuota('object_quota')
      add(more)
    },
    release() {
      add(-reserved)
      if (claimed) replacing.delete(replaces.name)
    },
  }
}
