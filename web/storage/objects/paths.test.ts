import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crumbsOf, faultOfKey, faultOfName, folderOf, keyIn, nameOf, renamed } from './paths.ts'

test('a key has a folder and a name; a folder has a name without its slash', () => {
  assert.equal(folderOf('a/b/c.txt'), 'a/b/')
  assert.equal(folderOf('c.txt'), '')
  assert.equal(nameOf('a/b/c.txt'), 'c.txt')
  assert.equal(nameOf('a/b/'), 'b')
})

test('a breadcrumb has every folder on the way, also those without a name', () => {
  assert.deepEqual(crumbsOf(''), [])
  assert.deepEqual(crumbsOf('a/b/'), [
    { name: 'a', prefix: 'a/' },
    { name: 'b', prefix: 'a/b/' },
  ])
  assert.deepEqual(crumbsOf('a//'), [
    { name: 'a', prefix: 'a/' },
    { name: '(no name)', prefix: 'a//' },
  ])
})

test('files and folders keep their names when they move, and their place when they are renamed', () => {
  assert.equal(keyIn('new/', 'old/a.txt'), 'new/a.txt')
  assert.equal(keyIn('', 'old/pictures/'), 'pictures/')
  assert.equal(renamed('old/a.txt', 'b.txt'), 'old/b.txt')
  assert.equal(renamed('old/pictures/', 'photos'), 'old/photos/')
})

test('a key has at most 1024 characters, counted as people count them, and no control characters', () => {
  assert.equal(faultOfKey('😀'.repeat(1024)), null)
  assert.match(faultOfKey('x'.repeat(1025)) ?? '', /at most 1024/)
  assert.match(faultOfKey('a\nb') ?? '', /control/)
  assert.match(faultOfKey('') ?? '', /empty/)
})

test('the name of a folder has no slash, is more than dots, and fits into a key with its parents', () => {
  assert.equal(faultOfName('photos'), null)
  assert.match(faultOfName('a/b') ?? '', /slash/)
  assert.match(faultOfName('..') ?? '', /dots/)
  assert.match(faultOfName('x'.repeat(1000), 'y'.repeat(100)) ?? '', /at most 1024/)
})
