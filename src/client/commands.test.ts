import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientCommands } from './commands.ts'
import { clientCommandNames } from './names.ts'
import { place, textOf } from './places.ts'

test('the names of client commands that are known beforehand are those of the commands', () => {
  const names = clientCommands({ write: () => {} }).map((command) => command.name())
  assert.deepEqual(names, clientCommandNames)
})

test('what has a bucket name before its first colon is remote, unless it begins with a dot and a slash', () => {
  assert.deepEqual(place('photos:2026/a:b.jpg'), { bucket: 'photos', key: '2026/a:b.jpg' })
  assert.deepEqual(place('photos:'), { bucket: 'photos', key: '' })
  for (const path of ['photos', './photos:x', 'a/b:c', 'UPPER:x', '-', '..:x'])
    assert.deepEqual(place(path), { path }, path)
  assert.equal(textOf(place('photos:2026/')), 'photos:2026/')
})
