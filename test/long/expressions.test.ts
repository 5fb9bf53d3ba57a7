import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseSync } from 'oxc-parser'
import { slowFor } from '#test/support/attacks.ts'

// No regular expression takes more than linear time on what somebody may send, except where the text is known to be short.

type Node = { type: string; [field: string]: unknown }
type Found = { file: string; expression: RegExp }

const found: Found[] = []
/** Files that put expressions together from texts. */
const builders = new Set<string>()

const read = (file: string, node: unknown): void => {
  if (typeof node !== 'object' || node === null) return
  const { type, regex, callee } = node as Node
  if (type === 'Literal' && regex) {
    const { pattern, flags } = regex as { pattern: string; flags: string }
    found.push({ file, expression: new RegExp(pattern, flags) })
  }
  if ((type === 'NewExpression' || type === 'CallExpression') && (callee as Node).name === 'RegExp')
    builders.add(file)
  for (const child of Object.values(node)) read(file, child)
}
for (const file of globSync(['src/**/*.ts', 'sdk/src/**/*.ts', 'web/**/*.{ts,tsx}']))
  if (!file.includes('.test.') && !file.includes('node_modules'))
    read(file, parseSync(file, readFileSync(file, 'utf8')).program)
for (const file of globSync('docs/openapi/*.json'))
  JSON.parse(readFileSync(file, 'utf8'), (key, value) => {
    if (key === 'pattern' && typeof value === 'string')
      found.push({ file, expression: new RegExp(value, 'u') })
    return value
  })

/** Why these may take longer than their text is long. */
const short: Record<string, string> = {
  [String(/^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)(?:\/\d{1,3})?$/i)]: 'what a person types into a field of the console',
  [String(/\/+$/)]: 'an address that the user of the command line gives',
  [String(/<([^>]*)>;\s*rel="next"/)]: 'a header of the server that a client has chosen',
  [String(/%(?![\da-f]{2})|(?<=#.*)#|[^\w\-.~:/?#@!$&'()*+,;=%]/gi)]: 'a web address of up to 2,048 characters',
  [String(/(<a href="(https?:[^"]*)"[^>]*>)(https?:[^<]*)(?=<\/a>)/gi)]: 'a post of up to 280 characters, as our own HTML',
  [String(/<[^>]*>/g)]: 'a post of up to 280 characters, as our own HTML',
  [String(/<[^>]*>|&#?\w+;|(a|b)/giu)]: 'a post of up to 280 characters, as our own HTML',
  [String(/ \(.*?\)/)]: 'the title of a page of ours',
  [String(/'(\S+)'\s+\(Did you mean (\S+)\?\)/)]: 'arguments of the command line',
  [String(/\s*\n\s*/g)]: 'arguments of the command line',
  [String(/=+$/)]: 'a hash of ours in Base64',
  [String(/lock file ".*" already exists/)]: 'a line that PostgreSQL writes when it starts',
  [String(/could not create lock file ".*\.s\.PGSQL.*No such file/)]: 'a line that PostgreSQL writes when it starts',
  [String(/^\s*(\d+)\s+(\d+)\s+(\S)\S*\s+(\S+)\s+(.*?)\s*$/)]: 'a line about a process of this machine',
} // biome-ignore format: as a table

/** What the expressions are like that are put together, by the file that does it. */
const built: Record<string, RegExp[]> = {
  'src/client/commands/sync.ts': [/^[^/]*\.a[^/]$/s],
  'src/inventory/verify/subjects.ts': [/(?<!purchase )\border (\d+)/],
  'src/platform/embedded-postgres/hanging.ts': [/^postgres: trivet: .* \[local\] (?!authentication|startup|initializing)/],
  'src/platform/http/response/conditional.ts': [/^(?:(?:Mon|Tue), \d\d (?:Jan|Feb) \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2,5}day, \d\d-(?:Jan|Feb)-\d\d \d\d:\d\d:\d\d GMT)$/],
  'src/publishing/pages/highlight.ts': [/<[^>]*>|&#?\w+;|(a|b)/giu],
  'src/publishing/posts/render.ts': [/<a href="\/@(?:a|b)">(@\w+)<\/a>/g],
  'src/publishing/visible-text.ts': [/\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)+|[\u200C\u200D](?<=\p{Script=Arab}\p{M}*[\u200C\u200D])(?=\p{Script=Arab})|[\s\p{Cc}]+/gv],
  'src/storage/objects/write/headers.ts': [/^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/],
  'src/storage/s3/import/target.ts': [/<a>([^<]*)<\/a>/],
  'web/storage/bucket/errors-of-part.ts': [/^rules(?:\[\d+\]|\.\d+)\./],
  // Patterns of our own schemas, which are in the OpenAPI documents.
  'src/events/ids.ts': [],
  'src/platform/http/contract/openapi/examples.ts': [],
  'src/platform/reference/example.ts': [],
  'src/publishing/profiles/schema.ts': [],
} // biome-ignore format: as a table

test('the search finds expressions of which it is known that they are slow, and no others', () => {
  for (const slow of [/"((?:\\.|[^"])*)"/, /\/+$/, /(a+)+$/, /^(\w+\s?)*$/, /(?:a|a)*b/, / \(.*?\)/, /<[^>]*>/g, /\s*\n\s*/g, /x*x*y/, /^(?:[\w.]*)(?:[.-]*)[\d.]*$/])
    assert.ok(slowFor(slow), String(slow))
  for (const fast of [/"((?:\\.|[^"\\])*)"/, /^\/+$/, /^(\w+\s)*$/, /<[^<>]*>/g, /^x*y/])
    assert.equal(slowFor(fast), undefined, String(fast))
}) // biome-ignore format: as lists

test('no expression is slow, unless its text is known to be short', { timeout: 600_000 }, () => {
  assert.deepEqual([...builders].sort(), Object.keys(built).sort(), 'which files put expressions together')
  for (const [file, expressions] of Object.entries(built))
    for (const expression of expressions) found.push({ file, expression })
  const each = new Map(found.map((one) => [String(one.expression), one]))
  assert.ok(each.size > 300, `${each.size} expressions`)
  const slow = [...each].flatMap(([text, { file, expression }]) => {
    const attack = slowFor(expression)
    return attack === undefined ? [] : [{ text, file, attack }]
  })
  assert.deepEqual(slow.filter(({ text }) => !(text in short)), [])
  assert.deepEqual(Object.keys(short).filter((text) => !each.has(text)), [], 'is gone')
}) // biome-ignore format: as lists
