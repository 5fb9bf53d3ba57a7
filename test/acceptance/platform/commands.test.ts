import assert from 'node:assert/strict'
import { test } from 'node:test'
import { version } from '#platform/version.ts'
import { boot } from '#test/support/boot.ts'
import { operatorOf } from '#test/support/operator.ts'

const trivet = operatorOf(await boot())

test('migrate and verify find a new system in order', async () => {
  assert.deepEqual(await trivet('migrate'), { code: 0, text: 'The database is up to date.\n' })
  assert.deepEqual(await trivet('verify'), { code: 0, text: 'Everything is as it should be.\n' })
})

test('version and --version print the version of package.json', async () => {
  for (const words of [['version'], ['--version']])
    assert.deepEqual(await trivet(...words), { code: 0, text: `${version}\n` })
})

test('the completion of every shell knows every command, its options and their values', async () => {
  for (const [shell, storage] of [
    ['bash', /'storage'\) COMPREPLY=\(\$\(compgen -W 'organizations accounts promo plan /],
    ['zsh', /'storage'\) compadd -- organizations accounts promo plan /],
    ['fish', /complete -c trivet -n '__trivet_at "storage"' -a 'organizations'/],
  ] as const) {
    const { code, text } = await trivet('completion', shell)
    assert.equal(code, 0)
    assert.match(text, storage)
    for (const word of ['unverify', 'max-uses', 'bandwidth-5000'])
      assert.ok(text.includes(word), `${shell}: ${word}`)
  }
  assert.equal((await trivet('completion', 'tcsh')).code, 2)
})

test('openapi --check accepts the documents of the repository', async () => {
  assert.deepEqual(await trivet('openapi', '--check'), { code: 0, text: '' })
})
