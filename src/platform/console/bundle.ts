import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { accentCss } from '#platform/web/accents.ts'
import { esbuildProgram } from '#platform/web/assets.ts'

/** Script and style of a console, in files that are named after the hash of their content. */
export type Bundle = {
  script: string
  style: string
  /** What the script imports at once, and what that imports. */
  imports: string[]
  files: Map<string, Buffer>
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

const options = [
  '--bundle',
  '--splitting',
  '--minify',
  '--format=esm',
  '--target=es2023',
  '--charset=utf8',
  '--log-level=error',
  '--entry-names=[hash]',
  '--chunk-names=[hash]',
  '--asset-names=[hash]',
  '--loader:.wasm=file',
  `--banner:css=${accentCss}`,
]

type Output = { entryPoint?: string; imports: { path: string; kind: string }[] }
type Metafile = { outputs: Record<string, Output> }

const staticImports = (outputs: Metafile['outputs'], script: string) => {
  const found = new Set([script])
  for (const path of found)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') found.add(imported)
  found.delete(script)
  return [...found]
}

const readAll = async (folder: string) =>
  new Map(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name))] as const),
    ),
  )

/**
 * Runs esbuild's program in the folder of the project, so that every node gives the files the same names. With code
 * splitting it can only write to a folder, which is removed as soon as it has been read.
 */
export const bundleConsole = async (entry: URL, style: URL): Promise<Bundle> => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-console-'))
  try {
    const metafile = join(folder, 'meta.json')
    const outdir = join(folder, 'files')
    const [scriptSource, styleSource] = [entry, style].map((file) => relative(root, fileURLToPath(file)))
    const args = [scriptSource!, styleSource!, ...options, `--outdir=${outdir}`, `--metafile=${metafile}`]
    await promisify(execFile)(esbuildProgram(), args, { cwd: root }).catch(({ stderr }) => {
      throw new Error(`The console could not be bundled\n${stderr}`)
    })
    const { outputs } = JSON.parse(await readFile(metafile, 'utf8')) as Metafile
    const builtFrom = (source: string | undefined) =>
      Object.keys(outputs).find((path) => outputs[path]!.entryPoint === source) as string
    const script = builtFrom(scriptSource)
    return {
      script: basename(script),
      style: basename(builtFrom(styleSource)),
      imports: staticImports(outputs, script).map((path) => basename(path)),
      files: await readAll(outdir),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
