import { maxPolicyBytes } from '../../policies/schema.ts'
import { refuse } from '../errors.ts'

/** A statement of a document, of which only the form was checked. */
export type AwsStatement = {
  effect: 'allow' | 'deny'
  principals: string[]
  actions: string[]
  resources: string[]
  conditions: { operator: string; key: string; values: string[] }[]
}

export const malformed = (message: string): never => refuse('MalformedPolicy', message)

/** What a document asks for that our statements cannot say. */
export const notSaid = (part: string, message: string): never =>
  refuse('NotImplemented', `${part}: ${message}`, { fields: { Part: part } })

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (text: string): Fields => {
  if (Buffer.byteLength(text) > maxPolicyBytes)
    malformed(`Policies must have at most ${maxPolicyBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed('Policies must be valid JSON')
  }
  return isFields(value) ? value : malformed('Policies must be JSON objects')
}

/** One text, or a list of them. Texts that cannot be stored cannot be part of a key or an address either. */
const texts = (value: unknown, field: string): string[] => {
  const list = [value].flat()
  const isValid = list.every(
    (item): item is string => typeof item === 'string' && item.isWellFormed() && !/\p{Cc}/u.test(item),
  )
  return isValid && list.length > 0 ? list : malformed(`${field} must be a string or an array of strings`)
}

const checkNames = (fields: Fields, known: readonly string[]) => {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined) malformed(`Unknown field ${unknown}`)
}

const negations = ['NotPrincipal', 'NotAction', 'NotResource']
const names = ['Sid', 'Effect', 'Principal', 'Action', 'Resource', 'Condition', ...negations]

/** `"*"` is the same as `{"AWS": "*"}`. */
const principalsOf = (principal: unknown, part: string): string[] => {
  if (principal === '*') return ['*']
  if (!isFields(principal) || Object.keys(principal).length === 0)
    return malformed('Invalid principal in policy')
  const other = Object.keys(principal).find((kind) => kind !== 'AWS')
  if (other !== undefined && ['CanonicalUser', 'Service', 'Federated'].includes(other))
    notSaid(`${part}.Principal.${other}`, 'only AWS principals are supported')
  return other === undefined ? texts(principal.AWS, 'Principal') : malformed('Invalid principal in policy')
}

const conditionsOf = (condition: unknown): AwsStatement['conditions'] => {
  if (condition === undefined) return []
  if (!isFields(condition)) return malformed('Condition must be an object')
  return Object.entries(condition).flatMap(([operator, keys]) =>
    isFields(keys)
      ? Object.entries(keys).map(([key, value]) => {
          const list = [value].flat().map((item) => (typeof item === 'boolean' ? String(item) : item))
          return { operator, key, values: texts(list, 'Condition') }
        })
      : malformed('Condition must be an object of objects'),
  )
}

const statementOf = (fields: unknown, index: number): AwsStatement => {
  if (!isFields(fields)) return malformed('Statement must be an object')
  checkNames(fields, names)
  const part = `Statement[${index}]`
  const negation = negations.find((name) => fields[name] !== undefined)
  if (negation !== undefined) notSaid(`${part}.${negation}`, 'is not supported')
  const missing = ['Effect', 'Principal', 'Action', 'Resource'].find((name) => fields[name] === undefined)
  if (missing !== undefined) malformed(`Missing required field ${missing}`)
  const { Sid, Effect, Principal, Action, Resource, Condition } = fields
  if (Sid !== undefined && typeof Sid !== 'string') malformed('Sid must be a string')
  if (Effect !== 'Allow' && Effect !== 'Deny') malformed(`Invalid effect: ${String(Effect)}`)
  return {
    effect: Effect === 'Allow' ? 'allow' : 'deny',
    principals: principalsOf(Principal, part),
    actions: texts(Action, 'Action'),
    resources: texts(Resource, 'Resource'),
    conditions: conditionsOf(Condition),
  }
}

/** The statements of a policy document. Throws MalformedPolicy if it is none. */
export const readPolicyDocument = (text: string): AwsStatement[] => {
  const policy = parse(text)
  checkNames(policy, ['Version', 'Id', 'Statement'])
  if (policy.Version !== undefined && policy.Version !== '2012-10-17' && policy.Version !== '2008-10-17')
    malformed('The Version of a policy must be 2012-10-17 or 2008-10-17')
  if (policy.Id !== undefined && typeof policy.Id !== 'string') malformed('Id must be a string')
  if (policy.Statement === undefined) malformed('Missing required field Statement')
  const list = [policy.Statement].flat()
  if (list.length === 0) malformed('Missing required field Statement')
  const sids = list.flatMap((item) => (isFields(item) && item.Sid !== undefined ? [item.Sid] : []))
  if (new Set(sids).size < sids.length) malformed('The Sids of a policy must be unique')
  return list.map(statementOf)
}
