import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#platform/errors.ts'
import type { PolicyStatement } from '../../policies/schema.ts'
import { refuse } from '../errors.ts'
import { sayAction } from './actions.ts'
import { readPolicyDocument } from './document.ts'
import { type Place, translateStatements } from './translate.ts'

const principalFor = ({ subjectType, subjectId }: PolicyStatement, { orgId }: Place) =>
  subjectId === '*' ? '*' : { AWS: `arn:aws:iam::${orgId}:${subjectType}/${subjectId}` }

const operators: Record<string, [operator: string, key: string]> = {
  ipCidr: ['IpAddress', 'aws:SourceIp'],
  notIpCidr: ['NotIpAddress', 'aws:SourceIp'],
  notBefore: ['DateGreaterThanEquals', 'aws:CurrentTime'],
  expiresAt: ['DateLessThan', 'aws:CurrentTime'],
  prefix: ['StringLike', 's3:prefix'],
}

const conditionFor = (conditions: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(conditions).map(([name, value]) => {
      const [operator, key] = operators[name] ?? [name, name]
      const list = [value].flat().map((one) => (name === 'prefix' ? `${one}*` : one))
      return [operator, { [key]: list.length === 1 ? list[0] : list }]
    }),
  )

/** A statement in a form in which the same is written in one way only. */
const normal = (s: PolicyStatement, place: Place & { id: string }) => {
  const isOfBucket = s.resourceType === 'bucket'
  const isWhole = isOfBucket && ['*', place.id, place.name].includes(s.resourceId.toLowerCase())
  const isAboutObjects = s.action.startsWith('object.') && s.action !== 'object.list'
  const resource =
    isWhole && isAboutObjects
      ? { resourceType: 'object', resourceId: '*' }
      : { resourceType: s.resourceType, resourceId: isWhole ? place.name : s.resourceId }
  return {
    ...s,
    ...resource,
    subjectType: s.subjectId === '*' ? 'role' : s.subjectType,
    conditions: Object.entries(s.conditions ?? {}).map(([name, value]) => [name, [value].flat()]),
  } as const
}

const sayOne = (s: PolicyStatement, place: Place & { id: string }) => {
  const { resourceType, resourceId } = normal(s, place)
  const said = sayAction(s.action)
  const bucket = `arn:aws:s3:::${place.name}`
  return {
    Effect: s.effect === 'allow' ? 'Allow' : 'Deny',
    Principal: principalFor(s, place),
    Action: said?.actions ?? s.action,
    Resource: resourceType === 'bucket' ? bucket : `${bucket}/${resourceId}`,
    ...(s.conditions && Object.keys(s.conditions).length > 0
      ? { Condition: conditionFor(s.conditions) }
      : {}),
  }
}

const isSaid = (s: PolicyStatement, statement: object, place: Place & { id: string }) => {
  try {
    const [back = []] = translateStatements(
      readPolicyDocument(JSON.stringify({ Statement: statement })),
      place,
    )
    const normalized = back.map((one) => normal(one, place))
    return isDeepStrictEqual(normalized, [normal(s, place)])
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Our statements as a document that means the same. Throws NotImplemented if one of them cannot be said. */
export const expressPolicy = (statements: readonly PolicyStatement[], place: Place & { id: string }) => {
  const said = statements.map((s, index) => {
    const statement = sayOne(s, place)
    if (isSaid(s, statement, place)) return statement
    return refuse('NotImplemented', `statements[${index}] can be read with the native API only`, {
      fields: { Part: `statements[${index}]` },
    })
  })
  return JSON.stringify({ Version: '2012-10-17', Statement: said })
}
