import type { Job } from '#platform/jobs.ts'
import { inParallel } from '#platform/parallel.ts'
import type { Publishing } from '../context.ts'
import { formats } from '../feeds/formats.ts'
import * as store from './store.ts'

const accountsAtOnce = 500
const requestsAtOnce = 4
const timeoutMs = 10_000
/** After this many failures the hub is left alone until the next run. */
const maxFailures = 5

/** Tells the hub that the feed at this address has changed, so that it fetches it and delivers it to subscribers. */
const ping = async (hub: string, topic: string) => {
  const body = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': topic, 'hub.topic': topic })
  const response = await fetch(hub, {
    method: 'POST',
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The WebSub hub responded ${response.status}`)
}

/**
 * Tells the hub which feeds have changed since the last run. Whatever could not be told is told by a later run: changes
 * are kept by account until the hub has accepted them, for an hour at most.
 */
const tellHub = async (ctx: Publishing, hub: string) => {
  const base = ctx.config.urls.publishing
  const extensions = Object.keys(formats)
  const changed = await store.listChanged(ctx.db.sql, accountsAtOnce)
  if (changed.length === 0) return
  let failures = 0
  const tell = async (path: string, whenTold?: () => Promise<unknown>) => {
    if (failures >= maxFailures) return
    try {
      for (const extension of extensions) await ping(hub, `${base}${path}.${extension}`)
      await whenTold?.()
    } catch (err) {
      failures++
      ctx.log.warn({ err, path }, 'the WebSub hub could not be told of a changed feed, will be retried')
    }
  }
  await tell('/feed')
  await inParallel(changed, requestsAtOnce, (account) =>
    tell(`/api/users/${account.handle}/feed`, () => ctx.db.write((q) => store.recordTold(q, account))),
  )
  await ctx.db.write((q) => store.forgetOld(q))
}

/** Once a minute, so that a hub hears of many changes of one account only once. */
export const websubJob = (ctx: Publishing): Job => ({
  name: 'publishing.tell-websub-hub',
  cron: '* * * * *',
  run: async () => {
    if (ctx.config.websubHub !== undefined) await tellHub(ctx, ctx.config.websubHub)
  },
})
