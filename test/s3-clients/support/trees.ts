import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const MiB = 1024 * 1024

/** More than one part with every client that uploads in parts by itself. */
export const largeSize = 17 * MiB + 11

/** Keys that a file system can hold. The longest has 1,000 bytes. */
export const oddNames = [
  'plain.txt',
  'with space/and  two.txt',
  'ünïcödé/日本語/😀.txt',
  'plus+and%percent/100%25+.txt',
  `quotes'and"double".txt`,
  '.hidden/.dot',
  'signs/a&b=c;d,e#g@h!(i)[j]{k}$l~m.txt',
  ['a', 'b', 'c', 'd']
    .map((letter) => letter.repeat(249))
    .join('/')
    .padEnd(1000, '.'),
]

/** Keys that only an API can write. */
export const oddKeys = [
  ...oddNames,
  'double//slash//',
  '/leading/slash',
  'dots/../and/./more',
  'question?mark*star|pipe\\back^caret`tick',
  '<xml>&amp;"\'</xml>',
  'trailing/',
  '+',
  '%',
  '%2F',
  ' ',
]

export const bytesFor = (key: string) => Buffer.from(`This is ${key}\n`)

/** Files of odd names, an empty and a large one. */
export const makeTree = async (folder: string, { names = oddNames, size = largeSize } = {}) => {
  const files = new Map<string, Buffer>([
    ...names.map((name) => [name, bytesFor(name)] as const),
    ['empty', Buffer.alloc(0)],
    ['big/large.bin', randomBytes(size)],
  ])
  for (const [name, bytes] of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  return files
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const digestsIn = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const digests = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), digestOf(await readFile(path))] as const),
  )
  return Object.fromEntries(digests.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Fails unless both folders have the same files with the same bytes. */
export const assertSameTree = async (found: string, expected: string) =>
  assert.deepEqual(await digestsIn(found), await digestsIn(expected))
