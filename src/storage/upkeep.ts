import type { Job } from '#platform/jobs.ts'
import type { Module } from './access.ts'
import { tellOfEndedPlans } from './billing/plans.ts'
import { scrubPortion } from './blobs/scrub.ts'
import { collectBlobs, sweepBlobs, sweepDrafts } from './blobs/upkeep.ts'
import type { Storage } from './context.ts'
import { forgetEnded } from './multipart/ending.ts'
import { forgetChanges } from './objects/list/count.ts'
import { applyLifecycles, continueLifecycles, timer } from './retention/sweep.ts'
import { traffic } from './usage/traffic.ts'

/** Applies the rules of buckets to what they hold, and removes the bytes that nothing refers to any more. */
export const tidy = async (ctx: Storage, signal?: AbortSignal) => {
  await applyLifecycles(ctx, timer(signal))
  while (!signal?.aborted && (await forgetEnded(ctx)));
  await collectBlobs(ctx, signal)
  await forgetChanges(ctx)
}

export const upkeepJobs = (ctx: Storage): Job[] => [
  { name: 'storage.tidy', cron: '23 * * * *', run: (_, signal) => tidy(ctx, signal) },
  {
    name: 'storage.continue-tidying',
    cron: '* * * * *',
    run: (_, signal) => continueLifecycles(ctx, timer(signal)),
  },
  { name: 'storage.tell-of-ended-plans', cron: '* * * * *', run: () => tellOfEndedPlans(ctx) },
  { name: 'storage.sweep', cron: '53 3 * * *', run: () => sweepBlobs(ctx) },
  { name: 'storage.scrub', cron: '37 * * * *', run: (_, signal) => scrubPortion(ctx, { signal }) },
]

/** At the start, removes what a crash has left behind; at the end, records the last downloads. */
export const upkeep: Module = (app, ctx) => {
  let swept: Promise<void> = Promise.resolve()
  app.addHook('onListen', (done) => {
    swept = sweepDrafts(ctx).catch((err) => ctx.log.warn({ err }, 'drafts could not be swept'))
    done()
  })
  app.addHook('onClose', async () => {
    await swept
    await traffic(ctx).flush()
  })
}
