import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { CommandFailed, ending, examples, integer, type Output, runCli } from '#platform/cli.ts'
import { AppError, OperatorError } from '#platform/errors.ts'

const program = (calls: unknown[]) => {
  const trivet = new Command('trivet')
    .description('Three self-hosted services on one platform.')
    .usage('<command> [options]')
    .version('1.2.3', '--version', 'Show the version')
    .addHelpText('after', '\nConfiguration is by environment variables.')
  trivet
    .command('serve')
    .description('Serve the services until stopped')
    .option('--demo', 'Fill them with demo data first')
    .addOption(new Option('--level <level>', 'How much to log').choices(['info', 'warn'] as const))
    .action(async (options) => {
      const demo: true | undefined = options.demo
      const level: 'info' | 'warn' | undefined = options.level
      calls.push({ demo, level })
    })
  trivet
    .command('migrate')
    .description('Bring the database up to date')
    .action(async () => void calls.push('migrate'))
  const storage = new Command('storage').description('Operator commands of storage').helpGroup('Storage:')
  storage
    .command('promo')
    .command('create')
    .description('Create a promo code that gives an organization months of its plan for nothing, once each')
    .requiredOption('--code <code>', 'The code')
    .requiredOption('--months <n>', 'How many months it gives', integer)
    .option('--expires <date>', 'When it can no longer be redeemed', ending)
    .option('--max-uses <n>', 'How many organizations may redeem it', integer)
    .addHelpText('after', examples('trivet storage promo create --code SPRING --months 3'))
    .action(async (options) => {
      const months: number = options.months
      const expires: Date | undefined = options.expires
      calls.push({ code: options.code.toUpperCase(), months, expires, maxUses: options.maxUses })
    })
  storage
    .command('plan')
    .command('set')
    .description('Change a plan')
    .action(async () => void calls.push('plan'))
  trivet.addCommand(storage)
  trivet
    .command('show')
    .description('Show one thing')
    .argument('<file-name>', 'Which one')
    .action(async (fileName) => void calls.push(fileName))
  return trivet
}

type Make = (calls: unknown[], stdout: Output) => CommandUnknownOpts

const run = async (line: string | string[], make: Make = program) => {
  const calls: unknown[] = []
  const output = { stdout: '', stderr: '' }
  const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line
  const code = await runCli((stdout) => make(calls, stdout), words, {
    stdout: { write: (text: string) => (output.stdout += text) },
    stderr: { write: (text: string) => (output.stderr += text) },
  })
  return { code, calls, ...output }
}

const PROMO_USAGE = 'Usage: trivet storage promo create --code <code> --months <n> [options]'

test('a command receives its options as numbers, dates and strings', async () => {
  const { code, calls, stderr } = await run(
    'storage promo create --code spring --months=3 --expires 2030-01-31 --max-uses 10',
  )
  assert.deepEqual(
    [code, stderr, calls],
    [0, '', [{ code: 'SPRING', months: 3, expires: new Date('2030-01-31T23:59:59.999Z'), maxUses: 10 }]],
  )
})

test('options that are not given are undefined', async () => {
  assert.deepEqual((await run('serve')).calls, [{ demo: undefined, level: undefined }])
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
    assert.match(
      stderr,
      /^trivet: option '--expires <date>' argument '.*' is invalid\. A date such as 2030-01-31 .*\nUsage: /,
    )
  }
})

test('a command without a name, help and --help print the same help and succeed', async () => {
  const { code, stdout, stderr } = await run('')
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(
    stdout,
    `Usage: trivet <command> [options]

Three self-hosted services on one platform.

Options:
  --version             Show the version
  -h, --help            Show this help

Commands:
  serve                 Serve the services until stopped
  migrate               Bring the database up to date
  show                  Show one thing
  help                  Show the help of a command

Storage:
  storage promo create  Create a promo code that gives an organization months of
                        its plan for nothing, once each
  storage plan set      Change a plan

Configuration is by environment variables.
`,
  )
  for (const line of ['help', '--help', '-h'])
    assert.deepEqual(await run(line), { code, stdout, stderr, calls: [] }, line)
})

test('--version prints the version', async () => {
  assert.deepEqual(await run('--version'), { code: 0, stdout: '1.2.3\n', stderr: '', calls: [] })
})

test('a group of commands has help of its own', async () => {
  const { code, stdout, calls } = await run('storage --help')
  assert.deepEqual([code, calls], [0, []])
  assert.match(stdout, /^Usage: trivet storage /)
  assert.match(stdout, /storage promo create .*[\s\S]*storage plan set/)
  assert.doesNotMatch(stdout, /migrate/)
  assert.deepEqual(await run('storage'), { code: 0, stdout, stderr: '', calls: [] })
  assert.equal((await run('help storage')).stdout, stdout)
  assert.match((await run('help storage promo')).stdout, /storage promo create/)
})

test('a command has help of its own, which runs nothing', async () => {
  const { code, stdout, stderr, calls } = await run('storage promo create --code x --help')
  assert.deepEqual([code, stderr, calls], [0, '', []])
  assert.equal(
    stdout,
    `${PROMO_USAGE}

Create a promo code that gives an organization months of its plan for nothing,
once each

Options:
  --code <code>     The code (required)
  --months <n>      How many months it gives (required)
  --expires <date>  When it can no longer be redeemed
  --max-uses <n>    How many organizations may redeem it
  -h, --help        Show this help

Examples:
  trivet storage promo create --code SPRING --months 3
`,
  )
  for (const line of [
    'help storage promo create',
    'help storage promo create more',
    'storage promo create -h',
  ])
    assert.deepEqual(await run(line), { code, stdout, stderr, calls: [] }, line)
  const show = await run('help show abc')
  assert.deepEqual([show.code, show.calls], [0, []])
  assert.match(show.stdout, /^Usage: trivet show \[options\] <file-name>\n/)
})

test('an unknown command is refused in one line that suggests the nearest known one', async () => {
  const cases = {
    mgirate: "unknown command 'mgirate' (Did you mean migrate?)",
    'mgirate --now': "unknown command 'mgirate' (Did you mean migrate?)",
    storag: "unknown command 'storag' (Did you mean storage?)",
    'storage prmo create': "unknown command 'prmo' (Did you mean promo?)",
    'storage promo craete --code x': "unknown command 'craete' (Did you mean create?)",
    hlep: "unknown command 'hlep' (Did you mean help?)",
    'help mgirate': "unknown command 'mgirate' (Did you mean migrate?)",
    'help storage prmo': "unknown command 'prmo' (Did you mean promo?)",
    mibrode: "unknown command 'mibrode'",
    'help nothing-like-it': "unknown command 'nothing-like-it'",
  }
  for (const [line, message] of Object.entries(cases))
    assert.deepEqual(
      await run(line),
      { code: 2, stdout: '', stderr: `trivet: ${message}\n`, calls: [] },
      line,
    )
})

test('an unknown option is refused with the nearest known one, also in place of a required one', async () => {
  const cases = {
    '--hepl': "unknown option '--hepl' (Did you mean --help?)",
    'storage --verbose': "unknown option '--verbose'",
    'serve --dmeo': "unknown option '--dmeo' (Did you mean --demo?)",
    'serve -x': "unknown option '-x'",
    'serve --demo=yes': "unknown option '--demo=yes'",
    'serve --constructor': "unknown option '--constructor'",
    'storage promo create --maxUses 1': "unknown option '--maxUses' (Did you mean --max-uses?)",
    'storage promo create --cdoe x --months 1': "unknown option '--cdoe' (Did you mean --code?)",
  }
  for (const [line, message] of Object.entries(cases)) {
    const { code, stdout, stderr, calls } = await run(line)
    assert.deepEqual([code, stdout, calls], [2, '', []], line)
    assert.equal(stderr.split('\n')[0], `trivet: ${message}`)
  }
})

test('a missing or invalid value is named, with the usage', async () => {
  const cases = {
    '--months 3': "required option '--code <code>' not specified",
    '--code c': "required option '--months <n>' not specified",
    '--code c --months many': "option '--months <n>' argument 'many' is invalid. A whole number is expected.",
    '--code c --months 1.5': "option '--months <n>' argument '1.5' is invalid. A whole number is expected.",
    '--code --months 3': "option '--code <code>' argument missing",
    '--code= --months 3': "option '--code <code>' argument missing",
    '--months 3 --code': "option '--code <code>' argument missing",
    '--code c --code d --months 3': "option '--code <code>' given twice",
    '--code c --months 3 more': "too many arguments for 'create'. Expected 0 arguments but got 1: more.",
  }
  for (const [args, message] of Object.entries(cases)) {
    const stderr = `trivet: ${message}\n${PROMO_USAGE}\n`
    assert.deepEqual(
      await run(`storage promo create ${args}`),
      { code: 2, stdout: '', stderr, calls: [] },
      args,
    )
  }
  assert.match(
    (await run('serve --level loud')).stderr,
    /^trivet: option '--level <level>' argument 'loud' is invalid\. Allowed choices are info, warn\.\n/,
  )
  assert.equal(
    (await run('show')).stderr,
    "trivet: missing required argument 'file-name'\nUsage: trivet show [options] <file-name>\n",
  )
})

const failing = (error: unknown) =>
  run('fail', () => {
    const trivet = new Command('trivet')
    trivet.command('fail').action(async () => {
      throw error
    })
    return trivet
  })

test('an error for the operator is one line without a stack trace', async () => {
  class DiskError extends OperatorError {}
  const errors = [
    new OperatorError('No such\n  organization'),
    new DiskError('No such organization'),
    new AppError(404, 'No such organization'),
  ]
  for (const error of errors) {
    const { code, stdout, stderr } = await failing(error)
    assert.deepEqual([code, stdout, stderr], [1, '', 'trivet: No such organization\n'])
  }
})

test('a command that has reported its failure itself only sets the exit code', async () => {
  assert.deepEqual(await failing(new CommandFailed()), { code: 1, calls: [], stdout: '', stderr: '' })
})

test('any other error shows its stack and its cause', async () => {
  const { code, stderr } = await failing(new TypeError('broken', { cause: new Error('deeper') }))
  assert.equal(code, 1)
  assert.match(stderr, /^TypeError: broken\n\s+at .*cli\.test\.ts[\s\S]*Error: deeper/)
  assert.deepEqual([(await failing('just text')).code, (await failing(undefined)).code], [1, 1])
})

test('the types of the values follow from the declared options', () => {
  new Command('x').option('--count <n>', 'How many', integer).action((options) => {
    // @ts-expect-error an optional value may be undefined
    options.count.toFixed()
    // @ts-expect-error there is no such option
    String(options.size)
  })
})

test('nothing that a command prints controls the terminal, and JSON keeps its meaning', async () => {
  const hostile = 'a\x1b]0;title\x07\x9b31m\r\x7f'
  const { stdout, stderr } = await run('say', (_, out) => {
    const trivet = new Command('trivet')
    trivet.command('say').action(() => {
      out.write(`${hostile}\n${JSON.stringify(hostile)}\n`)
      throw new OperatorError(hostile)
    })
    return trivet
  })
  assert.doesNotMatch(stdout + stderr, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  assert.equal(JSON.parse(stdout.split('\n')[1] as string), hostile)
})
