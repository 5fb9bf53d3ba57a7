import { notFound } from '#platform/errors.ts'
import type { Principal, Storage } from '../context.ts'
import { readUsage } from './store.ts'

export const usageSummary = async (ctx: Storage, me: Principal) =>
  (await readUsage(ctx.db.sql, me.orgId)) ?? notFound()
