import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snippets } from './snippets.ts'

const access = {
  apiUrl: 'https://storage.example.com',
  s3Url: 'https://s3.example.com:8443',
  key: 'obj_abc.secret',
  accessKey: 'obj_abc',
  secretKey: 'secret',
}

test('every snippet has the address of this server and the new key', () => {
  assert.deepEqual(
    snippets.map(({ name }) => name),
    ['curl', 'aws', 'rclone', 'restic', 's3cmd', 'SDK'],
  )
  for (const { name, of } of snippets) {
    assert.match(of(access), /storage\.example\.com|s3\.example\.com:8443/, name)
    assert.match(of(access), /obj_abc/, name)
    assert.match(of(access), /secret/, name)
  }
})

test('s3cmd is told whether the address is encrypted', () => {
  const { of } = snippets.find(({ name }) => name === 's3cmd')!
  assert.match(of(access), /use_https = True/)
  assert.match(
    of({ ...access, s3Url: 'http://localhost:4004' }),
    /host_base = localhost:4004[\s\S]*use_https = False/,
  )
})
