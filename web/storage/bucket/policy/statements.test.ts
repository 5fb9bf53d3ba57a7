import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  describeStatement,
  faultsOf,
  indexOfStatement,
  readPolicy,
  type Statement,
  sayFault,
  sayReason,
  writePolicy,
} from './statements.ts'

const statement: Statement = {
  effect: 'allow',
  action: 'object.read',
  resourceType: 'object',
  resourceId: 'photos/*',
  subjectType: 'role',
  subjectId: 'member',
}
const sayAll = (policy: unknown) => faultsOf(policy).map(sayFault)

test('a policy that the server accepts has no faults', () => {
  assert.deepEqual(faultsOf([]), [])
  assert.deepEqual(faultsOf([statement, { ...statement, conditions: null }]), [])
  const conditions = {
    ipCidr: ['10.0.0.0/8', '2001:db8::/32'],
    expiresAt: '2026-11-30T09:30:00Z',
    prefix: 'a/',
    maxSizeBytes: 0,
  }
  assert.deepEqual(faultsOf([{ ...statement, conditions }]), [])
})

test('a fault says in which statement and field it is', () => {
  assert.deepEqual(sayAll({}), ['A policy is a list of statements: [ … ]'])
  assert.deepEqual(sayAll([1]), ['Statement 1: must be an object'])
  assert.deepEqual(sayAll([statement, { ...statement, effect: 'maybe' }]), [
    'Statement 2: effect must be one of allow, deny',
  ])
  assert.deepEqual(sayAll([{ ...statement, resourceId: '', colour: 1 }]), [
    'Statement 1: resourceId must be a text of 1 to 1024 characters',
    'Statement 1: colour is not a field of a statement',
  ])
  assert.deepEqual(sayAll([{ ...statement, conditions: { ipCidr: 'here', moon: 1 } }]), [
    'Statement 1: conditions.ipCidr must be an address range such as 10.0.0.0/8',
    'Statement 1: conditions.moon is not a condition: use ipCidr, notIpCidr, notBefore, expiresAt, prefix, contentType, maxSizeBytes',
  ])
})

test('text that is not JSON yet is a fault, not an error', () => {
  const { faults } = readPolicy('[{')
  assert.equal(faults.length, 1)
  assert.match(faults[0]!.message, /^This is not JSON yet: /)
  assert.deepEqual(readPolicy(JSON.stringify([statement])), { statements: [statement], faults: [] })
})

test('the reason of a decision names the statement as the list does', () => {
  assert.equal(sayReason('denied by statements[0]'), 'by statement 1')
  assert.equal(sayReason('allowed by default for member'), 'by default for member')
})

test('a policy that was written as text is read as it was', () => {
  const statements = [statement, { ...statement, conditions: { prefix: 'a/' } }]
  assert.deepEqual(readPolicy(writePolicy(statements)), { statements, faults: [] })
})

test('a statement is found however it is spelled', () => {
  const { effect, ...rest } = statement
  assert.equal(
    indexOfStatement(
      [
        { ...statement, effect: 'deny' },
        { ...rest, conditions: null, effect },
      ],
      statement,
    ),
    1,
  )
  assert.equal(indexOfStatement([], statement), -1)
})

test('a statement is a sentence', () => {
  const nameOf = (_: string, id: string) => (id === 'member' ? 'Members' : 'Tom Reed')
  assert.equal(describeStatement(statement, nameOf), 'Members may read objects that match photos/*')
  assert.equal(
    describeStatement(
      { ...statement, effect: 'deny', action: '*', resourceId: '*', subjectType: 'user', subjectId: '*' },
      nameOf,
    ),
    'Everybody may not do everything',
  )
})
