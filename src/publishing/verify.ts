import type { Finding } from '#platform/http/service.ts'
import type { Publishing } from './context.ts'
import { wrongMilestones } from './numbered-store.ts'
import { audiences, counters, marks, references, terms } from './verify-store.ts'

/** Every counter equals what it counts, and every post has the audience of its author. */
export const verify = async (ctx: Publishing): Promise<Finding[]> => {
  const found: Finding[] = []
  for (const [invariant, check] of Object.entries(counters))
    for (const { subject, kept, counted } of await check(ctx.db.sql))
      found.push({ invariant, subject, detail: `says ${kept}, but there are ${counted}` })
  for (const { subject, counted } of await marks(ctx.db.sql))
    found.push({
      invariant: 'counted',
      subject,
      detail: counted ? 'is counted but should not be' : 'is not counted',
    })
  for (const { subject, rank } of await wrongMilestones(ctx.db.sql))
    found.push({ invariant: 'milestones', subject, detail: `entry ${rank} is somewhere else` })
  for (const { id, audience, expected } of await audiences(ctx.db.sql))
    found.push({ invariant: 'audience', subject: `post ${id}`, detail: `${audience} instead of ${expected}` })
  for (const { id, missing } of await references(ctx.db.sql))
    found.push({
      invariant: 'references',
      subject: `post ${id}`,
      detail: `refers to ${missing}, which is not there`,
    })
  for (const { id, is_public } of await terms(ctx.db.sql))
    found.push({
      invariant: 'search index',
      subject: `post ${id}`,
      detail: is_public ? 'is public but cannot be found' : 'can be found but is not public',
    })
  return found
}
