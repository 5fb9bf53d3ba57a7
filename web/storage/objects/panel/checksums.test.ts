import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksumsOf } from './checksums.ts'

const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

test('the entity tag is an MD5 unless the object was made of parts', () => {
  assert.deepEqual(checksumsOf(md5, null), [['MD5', md5]])
  assert.deepEqual(checksumsOf(`${md5}-3`, null), [['ETag', `${md5}-3`]])
})

test('a checksum of the whole object is shown in hexadecimal digits, one of its parts as it is', () => {
  const whole = { algorithm: 'SHA256', value: 'q80=', type: 'FULL_OBJECT' }
  assert.deepEqual(checksumsOf(md5, whole)[1], ['SHA-256', 'abcd'])
  const ofParts = { algorithm: 'SHA256', value: 'q80=-2', type: 'COMPOSITE' }
  assert.deepEqual(checksumsOf(md5, ofParts)[1], ['SHA-256 of parts', 'q80=-2'])
})
