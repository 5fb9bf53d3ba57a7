import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** Who may import whom: the folder tree is the architecture, and this keeps it true. */
type Source = { file: string; text: string; imports: string[] }

const target = (file: string, specifier: string) => {
  if (specifier.startsWith('#src/')) return specifier.replace('#src/', 'src/')
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
}

const sources: Source[] = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => {
    const text = readFileSync(file, 'utf8')
    // What is imported for its types alone is no dependency: nothing of it runs.
    const statements = text.matchAll(
      /(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*'([^']+)'|import\(\s*'([^']+)'/g,
    )
    const imports = [...statements].map(([, named, loaded]) => target(file, (named ?? loaded) as string))
    return { file, text, imports }
  })

const services = ['storage', 'publishing', 'inventory']
const offences = (wrong: (source: Source, imported: string) => boolean) =>
  sources.flatMap((source) =>
    source.imports.filter((name) => wrong(source, name)).map((name) => `${source.file} imports ${name}`),
  )

const inside = (file: string, folder: string) => file.startsWith(`src/${folder}/`)
const moduleOf = (file: string) => file.split('/').slice(0, 3).join('/')

test('the platform knows no service', () => {
  assert.deepEqual(
    offences(({ file }, name) => inside(file, 'platform') && services.some((s) => inside(name, s))),
    [],
  )
})

test('services never import each other', () => {
  assert.deepEqual(
    offences(({ file }, name) =>
      services.some((s) => inside(file, s) && services.some((o) => o !== s && inside(name, o))),
    ),
    [],
  )
})

test('only platform/db knows the driver', () => {
  assert.deepEqual(
    offences(({ file }, name) => ['pg', 'pg-copy-streams'].includes(name) && !inside(file, 'platform/db')),
    [],
  )
})

test('only the configuration reads the environment', () => {
  const readers = sources.filter(
    ({ text, file }) => /process\.env/.test(text) && file !== 'src/platform/config.ts',
  )
  assert.deepEqual(
    readers.map(({ file }) => file),
    [],
  )
})

const isStore = (file: string) => /(?:^|[/-])store\.ts$/.test(file)
const isRoutes = (file: string) => /(?:^|[/-])routes\.ts$/.test(file)
const sqlText = /`\s*(?:select|insert into|update|delete from|with)\s/i

test('in a service, only stores hold SQL', () => {
  const holders = sources.filter(
    ({ file, text }) => services.some((s) => inside(file, s)) && !isStore(file) && sqlText.test(text),
  )
  assert.deepEqual(
    holders.map(({ file }) => file),
    [],
  )
})

test('in a service, rules and stores know no HTTP', () => {
  const httpFiles = /(?:^|[/-])(?:routes|access|dialect|app|schema|envelope)\.ts$/
  assert.deepEqual(
    offences(
      ({ file }, name) =>
        services.some((s) => inside(file, s)) && !httpFiles.test(file) && /^@?fastify/.test(name),
    ),
    [],
  )
})

/** The files at the root of a service compose its modules and may look into them. */
const isRoot = (file: string) => file.split('/').length === 3

test('a module is used through its rules, never through its store', () => {
  const crossing = ({ file }: Source, name: string) =>
    services.some((s) => inside(file, s)) &&
    isStore(name) &&
    moduleOf(file) !== moduleOf(name) &&
    !isRoot(file) &&
    !isStore(file)
  assert.deepEqual(offences(crossing), [])
})

test('routes never reach past the rules into a store', () => {
  assert.deepEqual(
    offences(({ file }, name) => isRoutes(file) && isStore(name)),
    [],
  )
})

test('the API reference can be lifted out: of the platform it knows only web, which knows nothing else', () => {
  const own = ['platform/reference', 'platform/web']
  assert.deepEqual(
    offences(
      ({ file }, name) =>
        own.some((folder) => inside(file, folder)) &&
        name.startsWith('src/') &&
        !inside(name, 'platform/web') &&
        moduleOf(file) !== moduleOf(name),
    ),
    [],
  )
})
