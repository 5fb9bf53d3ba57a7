import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenFiles, contentTypeOf, droppedFiles } from './chosen.ts'

const file = (name: string) => new File(['x'], name)
const fileEntry = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (found: (file: File) => void) => found(file(name)),
})
/** Its reader returns two entries at a time. */
const folderEntry = (name: string, children: object[]) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const rest = [...children]
    return { readEntries: (found: (entries: object[]) => void) => found(rest.splice(0, 2)) }
  },
})
const itemOf = (entry: object | null, dropped: File | null = null) => ({
  webkitGetAsEntry: () => entry as never,
  getAsFile: () => dropped,
})

test('chosen folders keep their structure', () => {
  const inFolder = Object.assign(file('a.txt'), {})
  Object.defineProperty(inFolder, 'webkitRelativePath', { value: 'photos/2026/a.txt' })
  assert.deepEqual(
    chosenFiles([inFolder, file('b.txt')]).map(({ path }) => path),
    ['photos/2026/a.txt', 'b.txt'],
  )
})

test('dropped folders are read to the last entry, with the folders in them', async () => {
  const entries = ['a', 'b', 'c', 'd', 'e'].map(fileEntry)
  const folder = folderEntry('photos', [...entries, folderEntry('2026', [fileEntry('f')])])
  const paths: string[] = []
  for await (const { path } of droppedFiles({ items: [itemOf(folder), itemOf(fileEntry('g'))], files: [] }))
    paths.push(path)
  const inside = ['a', 'b', 'c', 'd', 'e', '2026/f'].map((name) => `photos/${name}`)
  assert.deepEqual(paths, [...inside, 'g'])
})

test('dropped files are found without entries, too', async () => {
  const paths: string[] = []
  for await (const { path } of droppedFiles({ items: [itemOf(null, file('a'))], files: [] })) paths.push(path)
  for await (const { path } of droppedFiles({ items: [], files: [file('b')] })) paths.push(path)
  assert.deepEqual(paths, ['a', 'b'])
})

test('the type is that of the browser, then that of the extension', () => {
  assert.equal(contentTypeOf({ name: 'a.md', type: '' }), 'text/markdown')
  assert.equal(contentTypeOf({ name: 'a.md', type: 'text/x-own' }), 'text/x-own')
  assert.equal(contentTypeOf({ name: 'a.constructor', type: '' }), 'application/octet-stream')
})
