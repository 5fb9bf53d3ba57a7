import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command, OperatorError, type Program, runCli } from '#platform/cli.ts'
import { AppError } from '#platform/errors.ts'

const run = async (line: string | string[], more: Partial<Program> = {}) => {
  const calls: unknown[] = []
  const record = async (values: unknown) => {
    calls.push(values)
  }
  const program: Program = {
    name: 'trivet',
    summary: 'Three self-hosted services on one platform.',
    footer: 'Configuration is by environment variables.',
    commands: [
      command({
        words: ['serve'],
        summary: 'Serve the services until stopped.',
        options: {
          demo: { type: 'boolean', description: 'Fill it with believable data first' },
          level: { type: 'string', choices: ['info', 'warn'], description: 'How much to say' },
        },
        async run(values) {
          const demo: boolean = values.demo
          const level: 'info' | 'warn' | undefined = values.level
          calls.push({ demo, level })
        },
      }),
      command({ words: ['migrate'], summary: 'Bring the database up to date.', run: record }),
      command({
        words: ['storage', 'promo', 'create'],
        summary: 'Make a promo code that gives an organization months of its plan for nothing, once each.',
        options: {
          code: { type: 'string', value: 'C', required: true, description: 'The code' },
          months: { type: 'integer', required: true, description: 'How many months it gives' },
          expires: { type: 'date', description: 'Last moment it can be redeemed' },
          maxUses: { type: 'integer', description: 'How many organizations may redeem it' },
        },
        examples: ['trivet storage promo create --code SPRING --months 3'],
        async run(values) {
          const months: number = values.months
          const expires: Date | undefined = values.expires
          calls.push({ code: values.code.toUpperCase(), months, expires, maxUses: values.maxUses })
        },
      }),
      command({ words: ['storage', 'plan', 'set'], summary: 'Change a plan.', run: record }),
      command({
        words: ['show'],
        summary: 'Show one thing.',
        positionals: ['fileName'],
        run: async ({ fileName }) => fileName.length,
      }),
    ],
    ...more,
  }
  const output = { stdout: '', stderr: '' }
  const code = await runCli(program, typeof line === 'string' ? line.split(' ').filter(Boolean) : line, {
    stdout: { write: (text: string) => (output.stdout += text) },
    stderr: { write: (text: string) => (output.stderr += text) },
  })
  return { code, calls, ...output }
}

const PROMO_USAGE = 'Usage: trivet storage promo create --code C --months N [--expires DATE] [--max-uses N]'

test('a command gets its options with their types', async () => {
  const { code, calls, stderr } = await run(
    'storage promo create --code spring --months=3 --expires 2030-01-31 --max-uses 10',
  )
  assert.deepEqual(
    [code, stderr, calls],
    [0, '', [{ code: 'SPRING', months: 3, expires: new Date('2030-01-31T00:00:00Z'), maxUses: 10 }]],
  )
})

test('options left out are undefined, flags left out are false', async () => {
  assert.deepEqual((await run('serve')).calls, [{ demo: false, level: undefined }])
  assert.deepEqual((await run('serve --demo --level warn')).calls, [{ demo: true, level: 'warn' }])
})

test('a date may carry a time and a zone, and must exist', async () => {
  const expires = async (text: string) => run(`storage promo create --code c --months 1 --expires ${text}`)
  const { calls } = await expires('2030-01-31T12:00:00.250+02:00')
  assert.deepEqual((calls[0] as { expires: Date }).expires, new Date('2030-01-31T10:00:00.250Z'))
  for (const text of [
    '2030-02-30',
    '2030-13-01',
    '31.1.2030',
    '2030-01-31T25:00Z',
    '2030-01-31T12:00',
    'soon',
  ]) {
    const { code, stderr } = await expires(text)
    assert.equal(code, 2, text)
    assert.match(stderr, /^trivet: --expires must be a date such as .*, not ".*"\.\nUsage: /)
  }
})

test('what a command returns is the exit code', async () => {
  assert.equal((await run('show abc')).code, 3)
  assert.equal((await run('migrate')).code, 0)
})

test('bare, help and --help print the same help and succeed', async () => {
  const { code, stdout, stderr } = await run('')
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(
    stdout,
    `Three self-hosted services on one platform.

Usage
  trivet <command> [options]

Commands
  serve                  Serve the services until stopped.
  migrate                Bring the database up to date.
  storage promo create   Make a promo code that gives an organization months of
                         its plan for nothing, once each.
  storage plan set       Change a plan.
  show                   Show one thing.

"trivet help <command>" shows the options of one.

Configuration is by environment variables.
`,
  )
  for (const line of ['help', '--help', '-h', 'help help']) {
    assert.deepEqual(await run(line), { code, stdout, stderr, calls: [] }, line)
  }
})

test('a group has help of its own', async () => {
  const { code, stdout, calls } = await run('storage --help')
  assert.deepEqual([code, calls], [0, []])
  assert.match(stdout, /trivet storage <command>/)
  assert.match(stdout, /storage promo create .*[\s\S]*storage plan set/)
  assert.doesNotMatch(stdout, /migrate/)
  assert.equal((await run('help storage')).stdout, stdout)
  assert.equal((await run('storage')).stdout, stdout)
  assert.match((await run('help storage promo')).stdout, /storage promo create/)
})

test('a command has help of its own, which runs nothing', async () => {
  const { code, stdout, stderr, calls } = await run('storage promo create --code x --help')
  assert.deepEqual([code, stderr, calls], [0, '', []])
  assert.equal(
    stdout,
    `Make a promo code that gives an organization months of its plan for nothing,
once each.

Usage
  trivet storage promo create --code C --months N [--expires DATE] [--max-uses N]

Options
  --code C         The code (required)
  --months N       How many months it gives (required)
  --expires DATE   Last moment it can be redeemed
  --max-uses N     How many organizations may redeem it

Examples
  trivet storage promo create --code SPRING --months 3
`,
  )
  for (const line of ['help storage promo create', 'storage promo create -h']) {
    assert.equal((await run(line)).stdout, stdout, line)
  }
})

test('an unknown word is refused in one line, with the nearest known one', async () => {
  const cases = {
    mgirate: 'trivet: unknown command "mgirate". Did you mean "migrate"?\n',
    'storage prmo create': 'trivet: unknown command "storage prmo". Did you mean "storage promo"?\n',
    'storage promo craete --code x':
      'trivet: unknown command "storage promo craete". Did you mean "storage promo create"?\n',
    hlep: 'trivet: unknown command "hlep". Did you mean "help"?\n',
    'help nothing-like-it': 'trivet: unknown command "nothing-like-it".\n',
    '--hepl': 'trivet: unknown option "--hepl". Did you mean "--help"?\n',
    'storage --verbose': 'trivet: unknown option "--verbose".\n',
    'serve --dmeo': 'trivet: unknown option "--dmeo". Did you mean "--demo"?\n',
    'serve -x': 'trivet: unknown option "-x".\n',
    'storage promo create --maxUses 1': 'trivet: unknown option "--maxUses". Did you mean "--max-uses"?\n',
    'serve --constructor': 'trivet: unknown option "--constructor".\n',
  }
  for (const [line, stderr] of Object.entries(cases)) {
    assert.deepEqual(await run(line), { code: 2, stdout: '', stderr, calls: [] }, line)
  }
})

test('a missing or invalid option is named, with the usage', async () => {
  const cases = {
    '--months 3': '--code is missing.',
    '--code c': '--months is missing.',
    '--code c --months many': '--months must be a whole number, not "many".',
    '--code c --months 1.5': '--months must be a whole number, not "1.5".',
    '--code --months 3': '--code needs a value.',
    '--code= --months 3': '--code needs a value.',
    '--months 3 --code': '--code needs a value.',
    '--code c --code d --months 3': '--code is given twice.',
    '--code c --months 3 more': 'unexpected argument "more".',
  }
  for (const [args, message] of Object.entries(cases)) {
    const stderr = `trivet: ${message}\n${PROMO_USAGE}\n`
    assert.deepEqual(
      await run(`storage promo create ${args}`),
      { code: 2, stdout: '', stderr, calls: [] },
      args,
    )
  }
  assert.match((await run('serve --demo=yes')).stderr, /^trivet: --demo takes no value\.\nUsage: /)
  assert.match(
    (await run('serve --level loud')).stderr,
    /^trivet: --level must be one of info, warn, not "loud"\./,
  )
  assert.match(
    (await run('show')).stderr,
    /^trivet: <file-name> is missing\.\nUsage: trivet show <file-name>\n$/,
  )
})

const failing = (error: unknown) =>
  run('fail', {
    commands: [
      command({
        words: ['fail'],
        summary: 'Fail.',
        async run() {
          throw error
        },
      }),
    ],
  })

test('an expected error is one line without a stack', async () => {
  const expected = [
    new OperatorError('No such\n  organization'),
    new AppError(404, 'No such organization'),
    Object.assign(new Error('No such organization'), { expected: true }),
  ]
  for (const error of expected) {
    const { code, stdout, stderr } = await failing(error)
    assert.deepEqual([code, stdout, stderr], [1, '', 'trivet: No such organization\n'])
  }
})

test('any other error shows its stack and its cause', async () => {
  const { code, stderr } = await failing(new TypeError('broken', { cause: new Error('deeper') }))
  assert.equal(code, 1)
  assert.match(stderr, /^TypeError: broken\n\s+at .*cli\.test\.ts[\s\S]*Error: deeper/)
  assert.deepEqual([(await failing('just text')).code, (await failing(undefined)).code], [1, 1])
})

test('the types of the values follow from the options', () => {
  command({
    words: ['x'],
    summary: 'x',
    options: { count: { type: 'integer', description: 'x' } },
    async run(values) {
      // @ts-expect-error an optional value may be undefined
      values.count.toFixed()
      // @ts-expect-error there is no such option
      String(values.size)
    },
  })
})
