import { isUuid } from '#platform/ids.ts'
import { maxStatements, type PolicyStatement } from '../../policies/schema.ts'
import { everything, type Meaning, meaningOf, placeOfWord, wordsFor } from './actions.ts'
import { type AwsStatement, malformed, notSaid, readPolicyDocument } from './document.ts'

/** The bucket whose policy it is. */
export type Place = { name: string; orgId: string }

type Subject = Pick<PolicyStatement, 'subjectType' | 'subjectId'>

/** People are `user/<id>` and roles `role/<name>` of an account that is the organization. */
const subjectOf = (principal: string, { orgId }: Place, part: string): Subject => {
  if (principal === '*') return { subjectType: 'role', subjectId: '*' }
  const account = `arn:aws:iam::${orgId}`
  if (principal === orgId || principal === `${account}:root`)
    notSaid(`${part}.Principal`, 'an account as a whole is not supported; name users or roles')
  const [, kind, id] = /^(user|role)\/([\w-]+)$/.exec(principal.slice(account.length + 1)) ?? []
  if (!principal.startsWith(`${account}:`) || kind === undefined || id === undefined)
    return malformed(`Invalid principal in policy: ${principal}`)
  return { subjectType: kind as 'user' | 'role', subjectId: id }
}

const isEverybody = ({ subjectId }: Subject) => subjectId === '*' || subjectId === 'anonymous'

const maxKeyLength = 1024

/** Which keys a resource stands for; null if it is the bucket itself. */
const resourceOf = (resource: string, { name }: Place, part: string): (string | null)[] => {
  const bucket = `arn:aws:s3:::${name}`
  if (['*', 'arn:aws:s3:::*', `${bucket}*`].includes(resource)) return [null, '*']
  if (resource === bucket) return [null]
  if (!resource.startsWith(`${bucket}/`)) {
    if (/^arn:aws:s3:::[^/]*[*?]/.test(resource)) notSaid(`${part}.Resource`, `${resource} is not supported`)
    return malformed(`Policy has invalid resource: ${resource}`)
  }
  const key = resource.slice(bucket.length + 1)
  if (key === '' || key.length > maxKeyLength) malformed(`Policy has invalid resource: ${resource}`)
  // Our statements know no such characters, and would take an id for that of an object.
  if (/[?]|\$\{/.test(key) || isUuid(key)) notSaid(`${part}.Resource`, `${resource} is not supported`)
  return [key]
}

const actionsOf = (
  { actions, effect }: AwsStatement,
  part: string,
  hasResource: (at: Meaning['at']) => boolean,
) => {
  const words = new Set<string>()
  for (const action of actions) {
    if (action === '*' || action.toLowerCase() === 's3:*') continue
    if (!/^s3:[a-z*?]+$/i.test(action)) malformed(`Policy has invalid action: ${action}`)
    const found = action.includes('?') ? [] : wordsFor(action)
    if (found.length === 0) notSaid(`${part}.Action`, `${action} is not supported`)
    if (!found.some((word) => hasResource(placeOfWord(word) ?? 'object')))
      malformed(`Action does not apply to any resource(s) in statement: ${action}`)
    for (const word of found) words.add(word)
  }
  if (actions.some((action) => action === '*' || action.toLowerCase() === 's3:*')) return everything
  const { meanings, left } = meaningOf(words, effect === 'allow')
  const lost = left.find((word) => hasResource(placeOfWord(word) ?? 'object'))
  if (lost !== undefined) notSaid(`${part}.Action`, `s3:${lost} cannot be told from what goes with it here`)
  return meanings.filter(({ at }) => hasResource(at))
}

/** Everybody can do one thing: read objects. */
const checkPublic = ({ actions }: AwsStatement, part: string) => {
  const other = actions.find((action) => action.toLowerCase() !== 's3:getobject')
  if (other !== undefined) notSaid(`${part}.Action`, `${other} cannot be allowed to everybody`)
}

/** `photos/*`, of which ours is `photos/`. */
const prefixOf = (pattern: string) => {
  const prefix = pattern.slice(0, -1)
  return pattern.endsWith('*') && !/[*?]|\$\{/.test(prefix) ? prefix : undefined
}

const readers: Record<string, { name: string; isList: boolean; read(value: string): string | undefined }> = {
  'IpAddress aws:sourceip': { name: 'ipCidr', isList: true, read: (range) => range },
  'NotIpAddress aws:sourceip': { name: 'notIpCidr', isList: true, read: (range) => range },
  'DateGreaterThanEquals aws:currenttime': { name: 'notBefore', isList: false, read: (time) => time },
  'DateLessThan aws:currenttime': { name: 'expiresAt', isList: false, read: (time) => time },
  'StringLike s3:prefix': { name: 'prefix', isList: true, read: prefixOf },
}

const conditionsOf = ({ conditions, effect }: AwsStatement, part: string, meanings: readonly Meaning[]) => {
  const pairs = conditions.map(({ operator, key, values }): [string, string | string[]] => {
    const lost = () => notSaid(`${part}.Condition.${operator}.${key}`, 'is not supported')
    const reader = readers[`${operator} ${key.toLowerCase()}`] ?? lost()
    const read = values.map((value) => reader.read(value) ?? lost())
    // A prefix is asked for by lists alone, and ours denies more than S3's.
    const isListed = effect === 'allow' && meanings.every(({ action }) => action === 'object.list')
    if (reader.name === 'prefix' && !isListed) lost()
    if (read.length > 1 && !reader.isList) lost()
    return [reader.name, read.length === 1 ? (read[0] as string) : read]
  })
  if (new Set(pairs.map(([name]) => name)).size < pairs.length)
    notSaid(`${part}.Condition`, 'the same condition twice is not supported')
  return pairs.length === 0 ? null : Object.fromEntries(pairs)
}

/** Each principal, action and resource of a document makes a statement with each other. */
const tooMany = () => malformed(`Policies must say no more than ${maxStatements} statements can say here`)

const translateOne = (statement: AwsStatement, index: number, place: Place): PolicyStatement[] => {
  const part = `Statement[${index}]`
  const { effect } = statement
  const subjects = statement.principals.map((principal) => subjectOf(principal, place, part))
  const resources = [...new Set(statement.resources.flatMap((resource) => resourceOf(resource, place, part)))]
  const isAt = (at: Meaning['at']) => (key: string | null) => (key === null) === (at === 'bucket')
  const meanings = actionsOf(statement, part, (at) => resources.some(isAt(at)))
  if (effect === 'allow' && subjects.some(isEverybody)) checkPublic(statement, part)
  const conditions = conditionsOf(statement, part, meanings)
  if (subjects.length * meanings.length * resources.length > maxStatements) tooMany()
  return subjects.flatMap((subject) =>
    meanings.flatMap(({ action, at }) =>
      resources.filter(isAt(at)).map(
        (key): PolicyStatement => ({
          effect,
          action,
          resourceType: at,
          resourceId: key ?? place.name,
          ...subject,
          conditions,
        }),
      ),
    ),
  )
}

/** Our statements for each of a document. Throws NotImplemented, naming the part, where they cannot say the same. */
export const translateStatements = (statements: readonly AwsStatement[], place: Place) =>
  statements.map((statement, index) => translateOne(statement, index, place))

/** That everybody may read every object is no statement here, but the visibility of the bucket. */
const isVisibility = (s: PolicyStatement) =>
  s.effect === 'allow' &&
  s.action === 'object.read' &&
  s.resourceType === 'object' &&
  s.resourceId === '*' &&
  s.subjectId === '*' &&
  !s.conditions

export const translatePolicy = (text: string, place: Place) => {
  const all = translateStatements(readPolicyDocument(text), place).flat()
  if (all.length > maxStatements) tooMany()
  return { isPublic: all.some(isVisibility), statements: all.filter((statement) => !isVisibility(statement)) }
}
