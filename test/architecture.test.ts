import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** Who may import whom: the folder tree is the architecture, and this keeps it true. Type imports count, too. */
type Import = { target: string; isType: boolean }
type Source = { file: string; text: string; imports: Import[] }

const resolve = (file: string, specifier: string) => {
  if (specifier.startsWith('#src/') || specifier.startsWith('#web/')) return specifier.slice(1)
  if (specifier.startsWith('#sdk/')) return specifier.replace('#sdk/', 'sdk/src/')
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
}

const statement =
  /^(?:import|export)\s+(?<type>type\s)?(?:(?<names>[^'"`;]*?)\s*from\s*)?'(?<from>[^']+)'|\bimport\(\s*'(?<loaded>[^']+)'/gm

const onlyTypes = (names: string) =>
  /^\{[^}]*\}$/s.test(names.trim()) &&
  names
    .replace(/[{}]/g, '')
    .split(',')
    .filter((name) => name.trim() !== '')
    .every((name) => name.trim().startsWith('type '))

const importsOf = (file: string, text: string): Import[] =>
  [...text.matchAll(statement)].map(({ groups = {} }) => ({
    target: resolve(file, (groups.from ?? groups.loaded) as string),
    isType: groups.type !== undefined || onlyTypes(groups.names ?? ''),
  }))

const sources: Source[] = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'])
  .filter((file) => !file.includes('.test.'))
  .map((file) => {
    const text = readFileSync(file, 'utf8')
    return { file, text, imports: importsOf(file, text) }
  })

const services = ['storage', 'publishing', 'inventory']
const inside = (file: string, folder: string) => file.startsWith(`src/${folder}/`)
const serviceOf = (file: string) => services.find((service) => inside(file, service))
const offences = (isWrong: (file: string, target: string) => boolean) =>
  sources.flatMap(({ file, imports }) =>
    imports.filter(({ target }) => isWrong(file, target)).map(({ target }) => `${file} imports ${target}`),
  )

const isStore = (file: string) => /(?:^|[/-])store\.ts$/.test(file)
const isRoutes = (file: string) => /(?:^|[/-])routes\.ts$/.test(file)
/** A folder of a service, or a file at its root; of the consoles also the folders of what they share. */
const roomOf = (file: string) =>
  file
    .split('/')
    .slice(0, /^(?:web\/(?:components|frame)|src\/events)\//.test(file) ? 2 : 3)
    .join('/')

test('the platform imports neither a service nor events, and events no service', () => {
  assert.deepEqual(
    offences((file, target) => {
      if (inside(file, 'platform')) return serviceOf(target) !== undefined || inside(target, 'events')
      return inside(file, 'events') && serviceOf(target) !== undefined
    }),
    [],
  )
})

test('a service does not import another service', () => {
  assert.deepEqual(
    offences((file, target) => {
      const [from, to] = [serviceOf(file), serviceOf(target)]
      return from !== undefined && to !== undefined && from !== to
    }),
    [],
  )
})

const isWeb = (file: string) => file.startsWith('web/')

test('the consoles import the SDK and nothing else of the project, and only they import themselves', () => {
  assert.deepEqual(
    offences((file, target) => {
      const isProject = /^(?:src|test|bench|sdk|web)\//.test(target)
      if (!isWeb(file)) return isWeb(target)
      return isProject && !isWeb(target) && target !== 'sdk/src/index.ts'
    }),
    [],
  )
})

test('the components and the frame of the consoles do not import the screens of a service', () => {
  const isScreen = (file: string) => services.some((service) => file.startsWith(`web/${service}/`))
  assert.deepEqual(
    offences((file, target) => isWeb(file) && !isScreen(file) && isScreen(target)),
    [],
  )
})

test('only platform/db imports the database driver', () => {
  assert.deepEqual(
    offences((file, target) => ['pg', 'pg-copy-streams'].includes(target) && !inside(file, 'platform/db')),
    [],
  )
})

test('only platform/type imports TypeBox, and of it only types: it is hundreds of modules', () => {
  assert.deepEqual(
    sources.flatMap(({ file, imports }) =>
      imports.some(({ target, isType }) => target === 'typebox' && !(isType && inside(file, 'platform/type')))
        ? [file]
        : [],
    ),
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

/**
 * What commands print passes through `runCli`, which keeps it from controlling the terminal. These write to the terminal
 * themselves: the server's own banner and progress, questions, lines that are made printable, and `cat`, which writes the
 * bytes of an object.
 */
const terminalWriters = [
  'src/client/commands/login.ts', 'src/client/output.ts', 'src/commands/backup.ts', 'src/commands/operate.ts',
  'src/commands/serve.ts', 'src/dev.ts', 'src/main.ts', 'src/platform/cli.ts', 'src/platform/log.ts', 'src/platform/progress.ts',
] // biome-ignore format: one list

test('commands write to the output that they are given', () => {
  const ownOutput = /process\.std(?:out|err)|std(?:out|err) \} = process/
  const writers = sources.filter(({ file, text }) => file.startsWith('src/') && ownOutput.test(text))
  assert.deepEqual(
    writers
      .map(({ file }) => file)
      .filter((file) => !file.endsWith('.browser.ts'))
      .sort(),
    terminalWriters,
  )
})

test('in a service only stores contain SQL', () => {
  const sqlText = /`\s*(?:select|insert into|update|delete from|with)\s/i
  const holders = sources.filter(({ file, text }) => serviceOf(file) && !isStore(file) && sqlText.test(text))
  assert.deepEqual(
    holders.map(({ file }) => file),
    [],
  )
})

/** Where a service speaks HTTP: its routes, its guard and dialect, and the folders that render and send responses. */
const knowsHttp = (file: string) =>
  isRoutes(file) ||
  /^src\/\w+\/(?:app|access|guard|dialect|envelope)\.ts$/.test(file) ||
  ['publishing/pages', 'publishing/responses'].some((folder) => inside(file, folder))

test('in a service rules and stores do not import Fastify', () => {
  assert.deepEqual(
    offences(
      (file, target) => serviceOf(file) !== undefined && !knowsHttp(file) && /^@?fastify/.test(target),
    ),
    [],
  )
})

test('a module does not import the store of another module', () => {
  assert.deepEqual(
    offences(
      (file, target) => serviceOf(file) !== undefined && isStore(target) && roomOf(file) !== roomOf(target),
    ),
    [],
  )
})

test('routes import neither a store nor the routes of another module', () => {
  assert.deepEqual(
    offences(
      (file, target) =>
        serviceOf(file) !== undefined &&
        isRoutes(file) &&
        (isStore(target) || (isRoutes(target) && roomOf(file) !== roomOf(target))),
    ),
    [],
  )
})

test('the API reference can be lifted out: of the platform it imports only web, which imports nothing else', () => {
  assert.deepEqual(
    offences(
      (file, target) =>
        ['platform/reference', 'platform/web'].some((folder) => inside(file, folder)) &&
        target.startsWith('src/') &&
        !inside(target, 'platform/web') &&
        roomOf(file) !== roomOf(target),
    ),
    [],
  )
})

type Graph = Map<string, Set<string>>

/** The strongly connected components of more than one node (Tarjan's algorithm). */
const cyclesOf = (graph: Graph): string[][] => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string) => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1) found.push(component.sort())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}

const graphOf = (nodeOf: (file: string) => string): Graph => {
  const known = new Set(sources.map(({ file }) => file))
  const graph: Graph = new Map()
  for (const { file, imports } of sources) {
    const node = nodeOf(file)
    const uses = graph.get(node) ?? new Set()
    for (const { target } of imports)
      if (known.has(target) && nodeOf(target) !== node) uses.add(nodeOf(target))
    graph.set(node, uses)
  }
  return graph
}

test('no files import each other in a circle, types included', () => {
  assert.deepEqual(cyclesOf(graphOf((file) => file)), [])
})

test('no modules import each other in a circle, types included', () => {
  assert.deepEqual(cyclesOf(graphOf(roomOf)), [])
})

test('nothing that serves loads the command line', () => {
  const byFile = new Map(sources.map(({ file, imports }) => [file, imports]))
  const reached = new Set(['src/system.ts'])
  for (const file of reached)
    for (const { target, isType } of byFile.get(file) ?? []) if (!isType) reached.add(target)
  assert.ok(reached.has('src/storage/app.ts'))
  assert.deepEqual(
    [...reached].filter((name) => name.includes('commander')),
    [],
  )
})

const sqlFiles = globSync('src/**/*.sql')

test('every SQL function is defined once', () => {
  const places = new Map<string, string[]>()
  for (const file of sqlFiles)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/create (?:or replace )?function ([\w.]+)/gi))
      places.set(name as string, [...(places.get(name as string) ?? []), file])
  assert.deepEqual(
    [...places].filter(([, files]) => files.length > 1),
    [],
  )
})

/** Constraint triggers cannot be replaced, so they are dropped and created. */
const repeatable =
  /^(?:create or replace (?:function|trigger|view|procedure)|drop trigger if exists|create constraint trigger) /i

test('functions.sql can be run again: it only creates or replaces', () => {
  const wrong = sqlFiles
    .filter((file) => file.endsWith('/functions.sql'))
    .flatMap((file) => {
      const withoutBodies = readFileSync(file, 'utf8')
        .replace(/--.*$/gm, '')
        .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
      return withoutBodies
        .split(';')
        .map((text) => text.trim().replace(/\s+/g, ' '))
        .filter((text) => text !== '' && !repeatable.test(text))
        .map((text) => `${file}: ${text.slice(0, 60)}`)
    })
  assert.deepEqual(wrong, [])
})
