import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { accentCss } from './accents.ts'

const options = [
  '--bundle',
  '--minify',
  '--format=iife',
  '--target=es2023',
  '--charset=utf8',
  '--log-level=error',
  `--banner:css=${accentCss}`,
]

/** Where the program is that npm has installed for this platform. */
export const esbuildProgram = () =>
  createRequire(import.meta.url).resolve(`@esbuild/${platform}-${arch}/bin/esbuild`)

/**
 * Runs esbuild's program, which takes some 10 ms. Synchronous, because pages are rendered synchronously, error pages
 * too; and not by its API, whose synchronous calls keep a thread and a process for the next one.
 */
const bundle = (file: URL): string => {
  const args = [fileURLToPath(file), ...options]
  return execFileSync(esbuildProgram(), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/**
 * A style sheet or browser script with all that it imports, ready to be sent. It is bundled when it is first asked
 * for, and kept in memory: a server that shows no page never starts the bundler.
 */
export const lazyAsset = (file: URL): (() => string) => {
  let text: string | undefined
  return () => {
    text ??= bundle(file)
    return text
  }
}
