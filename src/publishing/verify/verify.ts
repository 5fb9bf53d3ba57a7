import { verifyEvents } from '#events/verify.ts'
import type { Finding } from '#platform/http/service.ts'
import { type Report, unreported } from '#platform/progress.ts'
import type { Publishing } from '../context.ts'
import { findDamage } from '../pictures/upkeep.ts'
import {
  accountsWithWrongEvents, endedByTheirEvents, postsWithOtherTexts, postsWithWrongEvents,
} from './events-store.ts' // biome-ignore format: one list
import { notificationsWithoutCause } from './notifications-store.ts'
import { audiences, countedRows, counters, pictures, references, searchIndex } from './store.ts'

/**
 * Checks that counters equal what they count, posts have the audience of their author and their events, and notifications a
 * cause.
 */
export const verify = async (ctx: Publishing, report: Report = unreported): Promise<Finding[]> => {
  const found: Finding[] = []
  for (const [invariant, check] of Object.entries(counters)) {
    report(invariant)
    for (const { subject, counter, counted } of await check(ctx.db.long))
      found.push({ invariant, subject, detail: `says ${counter}, but there are ${counted}` })
  }
  report('posts')
  for (const { subject, counted } of await countedRows(ctx.db.long))
    found.push({
      invariant: 'counted',
      subject,
      detail: counted ? 'is counted but should not be' : 'is not counted',
    })
  for (const { id, audience, expected } of await audiences(ctx.db.long))
    found.push({ invariant: 'audience', subject: `post ${id}`, detail: `${audience} instead of ${expected}` })
  for (const { id, missing } of await references(ctx.db.long))
    found.push({
      invariant: 'references',
      subject: `post ${id}`,
      detail: `refers to ${missing}, which does not exist`,
    })
  for (const { id, is_public } of await searchIndex(ctx.db.long))
    found.push({
      invariant: 'search index',
      subject: `post ${id}`,
      detail: is_public ? 'is public but cannot be found' : 'can be found but is not public',
    })
  report('notifications')
  for (const { id, type } of await notificationsWithoutCause(ctx.db.long))
    found.push({
      invariant: 'notifications',
      subject: `notification ${id}`,
      detail: `tells of a ${type.replace('_', ' ')} that does not exist`,
    })
  report('events')
  for (const { id, type, events } of await postsWithWrongEvents(ctx.db.long))
    found.push({ invariant: 'events', subject: `post ${id}`, detail: `has ${events} events ${type}` })
  for (const check of [endedByTheirEvents, postsWithOtherTexts, accountsWithWrongEvents])
    for (const { subject, detail } of await check(ctx.db.long))
      found.push({ invariant: 'events', subject, detail })
  found.push(...(await verifyEvents(ctx.db.long, 'publishing')))
  report('pictures')
  for (const { subject, detail } of await pictures(ctx.db.long))
    found.push({ invariant: 'pictures', subject, detail })
  for await (const { subject, detail } of findDamage(ctx))
    found.push({ invariant: 'files of pictures', subject, detail })
  return found
}
