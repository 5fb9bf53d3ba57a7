import { conflict } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Principal, Storage } from '../context.ts'
import type { NewBucket } from './schema.ts'
import * as store from './store.ts'

export const listBuckets = (ctx: Storage, me: Principal) => store.listBuckets(ctx.db.sql, me.orgId)

export const createBucket = async (ctx: Storage, me: Principal, input: NewBucket) =>
  (await ctx.db.write((q) => store.insertBucket(q, uuidv7(), me.orgId, input, ctx.clock.now()))) ??
  conflict('name is already in use')
