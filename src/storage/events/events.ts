import type { Events } from '#events/events.ts'
import { forbidden } from '#platform/errors.ts'
import { roleRefusal } from '../access.ts'
import { recordAudit } from '../audit/audit.ts'
import { Plan } from '../billing/schema.ts'
import { Bucket } from '../buckets/schema.ts'
import type { Principal, Storage } from '../context.ts'
import { dialectOf } from '../dialect.ts'
import { admit } from '../guard.ts'
import { ApiKey } from '../keys/schema.ts'
import { Member } from '../members/schema.ts'
import { StoredObject } from '../objects/schema.ts'
import { envelope } from './envelope.ts'
import { present } from './present.ts'
import { type EventReader, mayReadPart } from './rights.ts'
import { ChangedPolicy, CreatedObject, PurgedObject, QuotaWarning, UpdatedObject } from './schema.ts'
import * as store from './store.ts'

const types: Events['types'] = {
  'bucket.created': { about: 'A bucket was created', data: Bucket },
  'bucket.updated': { about: 'The visibility, versioning or quota of a bucket changed', data: Bucket },
  'bucket.deleted': { about: 'A bucket was deleted; it is shown as it was before', data: Bucket },
  'object.created': {
    about: 'An object was uploaded, copied, made of parts, or restored from an old version',
    data: CreatedObject,
  },
  'object.updated': { about: 'An object was overwritten, restored, moved or tagged', data: UpdatedObject },
  'object.deleted': { about: 'An object was deleted and can still be recovered', data: StoredObject },
  'object.recovered': { about: 'A deleted object was recovered', data: StoredObject },
  'object.purged': {
    about: 'An object was removed for good; it is shown as it was before',
    data: PurgedObject,
  },
  'policy.updated': { about: 'The statements of a bucket’s policy changed', data: ChangedPolicy },
  'member.added': { about: 'A member was added', data: Member },
  'member.updated': { about: 'The role of a member changed', data: Member },
  'member.removed': { about: 'A member was removed; they are shown as they were before', data: Member },
  'api_key.created': { about: 'A key was created; it is shown without its secret', data: ApiKey },
  'api_key.revoked': {
    about: 'A key was revoked, also with a key that it descends from or with the member whose it was',
    data: ApiKey,
  },
  'plan.updated': { about: 'The plan was changed, extended or has ended', data: Plan },
  'quota.warning': {
    about: '80 or 95 per cent of a quota are used; again only after it was less',
    data: QuotaWarning,
  },
}

const typesOfMembers = Object.keys(types).filter((type) => /^(?:bucket|object|api_key)\./.test(type))

/** What happens in an organization. */
export const events: Events<Storage, EventReader> = {
  types,
  reading: [{ path: '/events', access: 'event.read', name: 'Events', tags: ['Events'] }],
  webhooks: {
    path: '/webhooks',
    location: '/webhooks/{id}',
    access: 'webhook.manage',
    tags: ['Webhooks'],
    managers: 'Owners and admins only.',
    limitStatus: 409,
  },
  envelope,
  async reader(ctx, req) {
    const me = await admit(ctx, req)
    const reader = { owner: me.orgId, account: me.userId, subjects: [me], form: dialectOf(req), me }
    return me.role === 'member' ? { ...reader, types: typesOfMembers } : reader
  },
  /** Anyone who manages a webhook can direct it to themselves, so it gets only what all of them may read. */
  async managers(ctx, owner) {
    const managers = await store.listManagers(ctx.db.sql, owner)
    const subjects = managers.map(({ id: userId, role }) => ({
      userId,
      role,
      keyId: null,
      ancestorIds: [],
      ip: '',
    }))
    return { reader: { owner, subjects, form: 'S' }, emails: managers.map(({ email }) => email) }
  },
  accountable: {
    async person(tx, { me }) {
      const { orgId, userId } = me as Principal
      return (await store.holdManager(tx, orgId, userId)) ?? forbidden(roleRefusal('webhook.manage'))
    },
    record: (q, { me }, { action, webhook, host, now }) =>
      recordAudit(q, me as Principal, {
        action,
        resourceType: 'webhook',
        resourceId: webhook,
        payload: { host },
        now,
      }),
  },
  parts: { of: store.partOf, mayRead: mayReadPart },
  present,
}
