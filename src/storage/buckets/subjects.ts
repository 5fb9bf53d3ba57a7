import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { userCache } from '../accounts/users.ts'
import type { Principal, Storage } from '../context.ts'
import { findKey, liveKeys } from '../keys/keys.ts'
import type { Subject } from '../policies/evaluate.ts'
import type { PolicyStatement } from '../policies/schema.ts'

type Named = Pick<PolicyStatement, 'subjectType' | 'subjectId'>

const roles = ['owner', 'admin', 'member', 'anonymous'] as const
const words = { user: 'a member', api_key: 'a live API key' }

const unknown = (field: string, type: 'user' | 'api_key') =>
  invalid(field, `must be * or the id of ${words[type]} of this organization`)

/** The subject of a statement in lower case. Rejects roles and ids that cannot exist, because they would never apply. */
export const readSubject = ({ subjectType, subjectId }: Named, field: string): string => {
  const id = subjectId.toLowerCase()
  if (id === '*') return id
  if (subjectType === 'role')
    return roles.some((role) => role === id) ? id : invalid(field, `must be * or one of ${roles.join(', ')}`)
  return isUuid(id) ? id : unknown(field, subjectType)
}

const nameOf = ({ subjectType, subjectId }: Named) => `${subjectType} ${subjectId.toLowerCase()}`

/**
 * Rejects statements about users or keys that do not exist. Subjects of the present policy are accepted, even if they
 * were deleted since, so that a policy can be read, changed and written back.
 */
export const checkSubjects = async (
  ctx: Storage,
  { orgId }: Principal,
  statements: PolicyStatement[],
  before: PolicyStatement[],
) => {
  const named = new Set(before.map(nameOf))
  const asked = statements.filter(
    (s) => s.subjectType !== 'role' && s.subjectId !== '*' && !named.has(nameOf(s)),
  )
  const idsOf = (type: Named['subjectType']) => [
    ...new Set(asked.flatMap((s) => (s.subjectType === type ? s.subjectId : []))),
  ]
  const members = await Promise.all(idsOf('user').map((id) => userCache(ctx).get(id)))
  const known = {
    user: new Set(members.flatMap((user) => (user?.orgId === orgId ? user.id : []))),
    api_key: new Set(await liveKeys(ctx, orgId, idsOf('api_key'))),
  }
  for (const s of asked)
    if (s.subjectType !== 'role' && !known[s.subjectType].has(s.subjectId))
      unknown(`statements[${statements.indexOf(s)}].subjectId`, s.subjectType)
}

/** The subject that a simulation asks about, at the caller's address. */
export const subjectOf = async (ctx: Storage, me: Principal, named: Named): Promise<Subject> => {
  const { ip } = me
  const subjectId = named.subjectId.toLowerCase()
  if (named.subjectType === 'role') {
    const role = roles.find((known) => known === subjectId)
    return role
      ? { userId: null, role, keyId: null, ancestorIds: [], ip }
      : invalid('subjectId', `must be one of ${roles.join(', ')}`)
  }
  const none = () =>
    notFound(named.subjectType === 'user' ? 'No member with this id' : 'No API key with this id')
  if (!isUuid(subjectId)) return none()
  const key = named.subjectType === 'api_key' ? ((await findKey(ctx, me.orgId, subjectId)) ?? none()) : null
  const user = (await userCache(ctx).get(key?.userId ?? subjectId)) ?? none()
  if (user.orgId !== me.orgId) return none()
  return {
    userId: user.id,
    role: user.role,
    keyId: key?.id ?? null,
    ancestorIds: key?.ancestorIds ?? [],
    ip,
  }
}
