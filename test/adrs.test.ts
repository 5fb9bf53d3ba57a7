import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

const folder = 'docs/adr'
const mostWords = 500

type File = { path: string; text: string }
const read = (path: string): File => ({ path, text: readFileSync(path, 'utf8') })

const records = globSync(`${folder}/[0-9]*.md`).sort().map(read)
const names = new Set(records.map(({ path }) => basename(path)))
const numbers = new Set([...names].map((name) => Number(name.slice(0, 4))))

const formProblems = ({ path, text }: File) => {
  const words = text.trim().split(/\s+/).length
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title as string)
  return [
    words > mostWords && `${words} words`,
    Number(/^# (\d+)\. \S/.exec(text)?.[1]) !== Number(basename(path).slice(0, 4)) &&
      'no title with its number',
    !/^\*\*Status:\*\* \w+/m.test(text) && 'no status',
    sections[0] !== 'Decision' && `begins with ${sections[0]}`,
    ...['Context', 'Rejected'].map((title) => !sections.includes(title) && `no ${title}`),
  ].filter((problem) => typeof problem === 'string')
}

const mention = /\bADRs?\s+\d+(?:(?:,|,? and|,? or)\s+\d+)*/g
const link = /(?:\[(?:ADR )?(\d+)\]\()?[^\s()`]*\b(0\d{3}-[a-z0-9-]+\.md)/g

/** What a text says about records that do not exist. */
const deadMentions = (text: string) => {
  const numbered = [...text.matchAll(mention)]
    .flatMap(([all]) => all.match(/\d+/g) ?? [])
    .filter((number) => !numbers.has(Number(number)))
    .map((number) => `there is no ADR ${number}`)
  const linked = [...text.matchAll(link)].flatMap(([, number, name = '']) => [
    ...(names.has(name) ? [] : [`there is no ${name}`]),
    ...(number && Number(number) !== Number(name.slice(0, 4)) ? [`${number} is not ${name}`] : []),
  ])
  return [...numbered, ...linked]
}

test('a record has a title with its number, a status, its decision first, and at most 500 words', () => {
  assert.notEqual(records.length, 0)
  assert.equal(numbers.size, records.length, 'two records have the same number')
  assert.deepEqual(
    records.flatMap((record) => formProblems(record).map((problem) => `${record.path}: ${problem}`)),
    [],
  )
})

test('the list of records has every record', () => {
  const { text } = read(`${folder}/README.md`)
  assert.deepEqual(
    [...text.matchAll(/^\| \[(\d+)\]\(([^)]+)\)/gm)].map(([, , name]) => name),
    [...names],
  )
})

test('whatever mentions a record mentions one that exists', () => {
  const files = globSync(
    ['*.md', '{.ci,bench,bin,docs,sdk,src,test,web}/**/*.{css,js,json,md,mjs,sh,sql,ts,tsx,txt}', '.ci/run'],
    { exclude: (name) => name === 'node_modules' },
  )
  assert.ok(files.includes('ARCHITECTURE.md') && files.includes('src/main.ts'))
  const dead = files.flatMap((path) => deadMentions(read(path).text).map((problem) => `${path}: ${problem}`))
  assert.deepEqual(dead, [])
})

test('a record that is too long or begins with something else is found, and so is a dead reference', () => {
  const good = '# 7. Title\n\n**Status:** accepted\n\n## Decision\n\n## Context\n\n## Rejected\n'
  const problemsOf = (text: string) => formProblems({ path: `${folder}/${'0007'}-title.md`, text })
  assert.deepEqual(problemsOf(good), [])
  assert.deepEqual(problemsOf(good.replace('# 7', '# 8')), ['no title with its number'])
  assert.deepEqual(problemsOf(good.replace('## Decision\n\n## Context', '## Context\n\n## Decision')), [
    'begins with Context',
  ])
  assert.deepEqual(problemsOf(`${good}${'word '.repeat(mostWords)}`), ['511 words'])

  const some = records[0]!
  const [number, name] = [Number(basename(some.path).slice(0, 4)), basename(some.path)]
  const missing = 999
  const gone = `0${missing}-gone.md`
  assert.deepEqual(deadMentions(`see ADR ${number} and [ADR ${number}](docs/adr/${name})`), [])
  assert.deepEqual(deadMentions(`see ADRs ${number} and ${missing}`), [`there is no ADR ${missing}`])
  assert.deepEqual(deadMentions(`[${number}](../adr/${gone})`), [
    `there is no ${gone}`,
    `${number} is not ${gone}`,
  ])
})
