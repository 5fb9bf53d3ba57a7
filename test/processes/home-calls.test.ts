import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { boot } from '#test/support/boot.ts'
import { debianProgram } from '#test/support/debian.ts'

const system = await boot()
for (const name of ['bash', 'curl', 'jq']) await debianProgram(name, name)

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const callsIn = (page: string) =>
  [...page.matchAll(/<pre tabindex="0"><code>(.*?)<\/code>/gs)].map(([, code = '']) =>
    code.replace(/&(#?\w+);/g, (_, name: string) => characters[name] ?? ''),
  )

for (const [name, lastWords] of [
  ['storage', /Hello, Trivet$/],
  ['inventory', /"new_quantity":10/],
] as const)
  test(`${name}: the calls on the page about it work as printed, one after the other`, async () => {
    const { text } = await system[name]('GET /about')
    const calls = callsIn(text)
    assert.equal(calls.length, 3)
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', calls.join('\n')])
    assert.match(stdout, lastWords)
  })
