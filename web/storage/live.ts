import type { Console } from '#web/frame/console.ts'

/** What is shown, by the key under which it is read, and the events after which it is read again. */
export const live: Console['live'] = {
  buckets: ['bucket.*', 'object.*'],
  bucket: ['bucket.*', 'object.*'],
  trash: ['object.*'],
  policy: ['policy.updated'],
  lifecycle: ['bucket.updated'],
  keys: ['api_key.*'],
  members: ['member.*'],
  usage: ['object.*', 'bucket.*', 'plan.updated', 'quota.warning'],
  // Whatever is an event is also an entry.
  audit: ['*'],
  'audit-choices': ['*'],
  billing: ['plan.updated'],
  account: ['member.updated', 'plan.updated'],
}
