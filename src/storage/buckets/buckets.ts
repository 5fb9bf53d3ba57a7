import { conflict } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import type { NewBucket } from './schema.ts'
import * as store from './store.ts'

export const listBuckets = (ctx: Storage, me: Principal) => store.listBuckets(ctx.db.sql, me.orgId)

export const createBucket = (ctx: Storage, me: Principal, input: NewBucket) =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const bucket =
      (await store.insertBucket(tx, uuidv7(), me.orgId, input, now)) ?? conflict('name is already in use')
    const { id, name, visibility } = bucket
    const payload = { name, visibility }
    await recordAudit(tx, me, {
      action: 'bucket.created',
      resourceType: 'bucket',
      resourceId: id,
      payload,
      now,
    })
    return bucket
  })
