import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formattedJson, previewKindOf } from './preview-kind.ts'

const kind = (key: string, contentType: string, size = 100) => previewKindOf({ key, contentType, size })

test('the type decides how an object is shown', () => {
  assert.equal(kind('a', 'image/png'), 'image')
  assert.equal(kind('a', 'IMAGE/SVG+XML; charset=utf-8'), 'svg')
  assert.equal(kind('a', 'application/pdf'), 'pdf')
  assert.equal(kind('a', 'video/mp4'), 'video')
  assert.equal(kind('a', 'audio/ogg'), 'audio')
  assert.equal(kind('a', 'application/ld+json'), 'json')
  assert.equal(kind('a', 'text/markdown'), 'markdown')
  assert.equal(kind('a', 'application/zip'), null)
})

test('a page is shown as its source, whatever its name says', () => {
  assert.equal(kind('a.html', 'text/html'), 'text')
  assert.equal(kind('a.png', 'text/html'), 'text')
  assert.equal(kind('a', 'application/xhtml+xml'), 'text')
})

test('the name helps where the type says little', () => {
  assert.equal(kind('readme.md', 'application/octet-stream'), 'markdown')
  assert.equal(kind('data.json', 'text/plain'), 'json')
  assert.equal(kind('constructor', 'application/octet-stream'), null)
  assert.equal(kind('a.constructor', 'application/octet-stream'), null)
})

test('what is too large to be read into the page is not shown; text is cut, films are read as they play', () => {
  assert.equal(kind('a', 'image/png', 33 * 1024 * 1024), null)
  assert.equal(kind('a', 'text/plain', 2 ** 30), 'text')
  assert.equal(kind('a', 'video/mp4', 2 ** 30), 'video')
})

test('JSON is laid out; what is no JSON stays as it is', () => {
  assert.equal(formattedJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}')
  assert.equal(formattedJson('{"a":'), '{"a":')
})
