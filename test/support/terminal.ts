import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { debianProgram } from './debian.ts'

// Each of these tells Node whether colours are wanted, and a CI machine sets some of them.
const colourVariables = ['CI', 'COLORTERM', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'NO_COLOR', 'TMUX']

const withoutColourVariables = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !colourVariables.includes(name)))

/** Runs a command on a terminal of its own, which shows colours. */
export const onTerminal = async (
  t: TestContext,
  command: string,
  env: Record<string, string>,
  cwd = process.cwd(),
) => {
  const script = await debianProgram('script', 'bsdutils')
  const child = spawn(script, ['-qec', command, '/dev/null'], {
    cwd,
    env: {
      ...withoutColourVariables(process.env),
      RATE_LIMITS: 'off',
      TRIVET_SERVICES: 'storage',
      TERM: 'xterm-256color',
      ...env,
    },
  })
  const exited = once(child, 'exit')
  t.after(() => child.kill('SIGHUP'))
  let raw = ''
  child.stdout.on('data', (chunk) => {
    raw += chunk
  })
  return {
    raw: () => raw,
    text: () => stripVTControlCharacters(raw),
    press: (keys: string) => child.stdin.write(keys),
    exited,
  }
}
