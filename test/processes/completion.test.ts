import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { run } from '#src/commands/program.ts'
import { debianProgram } from '#test/support/debian.ts'
import { until } from '#test/support/eventually.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { onTerminal } from '#test/support/terminal.ts'

const folder = await temporaryFolder('completion')

const scriptFor = async (shell: string) => {
  let text = ''
  const stdout = { write: (more: string) => (text += more) }
  assert.equal(await run(['completion', shell], { stdout, stderr: process.stderr }), 0)
  const path = join(folder, `trivet.${shell}`)
  await writeFile(path, text)
  return path
}

/** What a shell makes of lines when Tab is pressed at their ends: a function of that name shows its arguments. */
const completed = async (t: TestContext, command: string, setup: string, typed: string[]) => {
  const terminal = await onTerminal(t, command, { PS1: '> ', TRIVET_DATA: folder })
  terminal.press(`${setup}; trivet() { echo "got[$*]"; }; echo rea''dy\n`)
  await until('the shell is ready', () => terminal.text().includes('ready\r'))
  const results = () => [...terminal.text().matchAll(/got\[(.*?)\]\r/g)].map(([, words]) => words?.trim())
  for (const [n, line] of typed.entries()) {
    terminal.press(`trivet ${line}\t\n`)
    await until(`"${line}" has run`, () => results().length === n + 1)
  }
  terminal.press('exit\n')
  await terminal.exited
  return results()
}

const lines = {
  sto: 'storage',
  'storage org': 'storage organizations',
  'storage plan set --st': 'storage plan set --st',
  'storage plan set --org x --sta': 'storage plan set --org x --status',
  'storage plan set --status ex': 'storage plan set --status expired',
  'publishing unad': 'publishing unadmin',
  'completion f': 'completion fish',
}

for (const [shell, command, setup] of [
  ['bash', 'bash --norc --noprofile -i', 'bind "set bell-style none"; source'],
  ['zsh', 'zsh -f -i', 'autoload -Uz compinit; compinit -u -D; source'],
] as const)
  test(`${shell} completes commands, options and values`, { timeout: 360_000 }, async (t) => {
    await debianProgram(shell, shell)
    const script = await scriptFor(shell)
    const results = await completed(t, command, `${setup} ${script}`, Object.keys(lines))
    assert.deepEqual(results, Object.values(lines))
  })

test('fish completes commands, options and values', { timeout: 360_000 }, async (t) => {
  const fish = await debianProgram('fish', 'fish')
  const script = await scriptFor('fish')
  const terminal = await onTerminal(
    t,
    `${fish} --no-config -c 'source ${script}; complete -C "trivet storage plan set --status "; complete -C "trivet inventory t"'`,
    {},
  )
  await terminal.exited
  assert.deepEqual(terminal.text().trim().split(/\s+/).sort(), ['active', 'expired', 'tenants', 'trial'])
})
