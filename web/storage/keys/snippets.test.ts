import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snippetsOf } from './snippets.ts'

const access = {
  apiUrl: 'https://storage.example.com',
  s3Url: 'https://s3.example.com:8443',
  key: 'obj_abc.secret',
  accessKey: 'obj_abc',
  secretKey: 'secret',
}

test('every snippet has the address of this server and the new key', () => {
  const snippets = snippetsOf(access)
  assert.deepEqual(
    snippets.map(({ name }) => name),
    ['curl', 'aws', 'rclone', 'restic', 's3cmd', 'SDK'],
  )
  for (const { name, text } of snippets) {
    assert.match(text, /storage\.example\.com|s3\.example\.com:8443/, name)
    assert.match(text, /obj_abc/, name)
    assert.match(text, /secret/, name)
  }
})

test('s3cmd is told whether the address is encrypted', () => {
  const s3cmd = (s3Url: string) =>
    snippetsOf({ ...access, s3Url }).find(({ name }) => name === 's3cmd')?.text ?? ''
  assert.match(s3cmd(access.s3Url), /use_https = True/)
  assert.match(s3cmd('http://localhost:4004'), /host_base = localhost:4004[\s\S]*use_https = False/)
})
