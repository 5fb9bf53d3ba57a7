import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { accents } from './accents.ts'
import { lazyAsset } from './assets.ts'

const folder = mkdtempSync(join(tmpdir(), 'trivet-assets-'))
after(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return pathToFileURL(path)
}

test('a style sheet is one text: the accents of the services, then what it imports, then its own rules', () => {
  write('first.css', 'a { color: red }')
  const text = lazyAsset(write('style.css', "@import './first.css';\nb { color: var(--accent) }"))()
  assert.ok(text.endsWith('a{color:red}b{color:var(--accent)}'), text)
  for (const [service, [light, dark]] of Object.entries(accents))
    assert.ok(text.includes(`:root[data-service=${service}]{--accent:light-dark(${light},${dark})}`), text)
})

test('a browser script becomes plain JavaScript with its imports, and leaves no globals behind', () => {
  write('name.browser.ts', "export const nameOf = (id: number): string => 'thing ' + id")
  const file = write(
    'page.browser.ts',
    "import { nameOf } from './name.browser.ts'\nconst name: string = nameOf(7)\nreport(name)",
  )
  const reported: string[] = []
  const context = createContext({ report: (name: string) => reported.push(name) })
  runInContext(lazyAsset(file)(), context)
  assert.deepEqual(reported, ['thing 7'])
  assert.deepEqual(Object.keys(context), ['report'])
})

test('a script or style sheet cannot end the element that it is put into', () => {
  const script = lazyAsset(write('end.browser.ts', "report('</script><b>')"))()
  assert.doesNotMatch(script, /<\/script/i)
  const style = lazyAsset(write('end.css', "a::after { content: '</style><b>' }"))()
  assert.doesNotMatch(style, /<\/style/i)
})

test('an asset is bundled when it is first asked for, and then kept', () => {
  const file = write('kept.css', 'a { color: red }')
  const asset = lazyAsset(file)
  writeFileSync(file, 'a { color: blue }')
  assert.match(asset(), /a\{color:#00f\}/)
  writeFileSync(file, 'a { color: green }')
  assert.match(asset(), /a\{color:#00f\}/)
})

test('a mistake in an asset is reported with its place', () => {
  const asset = lazyAsset(write('wrong.browser.ts', 'const =\n'))
  assert.throws(asset, /wrong\.browser\.ts:1:6/)
})

test('bundling leaves no process behind', () => {
  lazyAsset(write('last.css', 'a { color: red }'))()
  const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,comm='], { encoding: 'utf8' })
  const children = stdout.split('\n').filter((line) => line.trim().startsWith(`${process.pid} `))
  assert.ok(
    children.some((line) => line.includes('ps')),
    'ps sees the children of this process',
  )
  assert.deepEqual(
    children.filter((line) => line.includes('esbuild')),
    [],
  )
})
