import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { closeLogger, createLogger, type LogLevel, safeUrl } from '#platform/log.ts'
import { prettyLines } from '#platform/log-pretty.ts'

const capture = ({ pretty = false, level = 'info' as LogLevel } = {}) => {
  const lines: string[] = []
  const destination = {
    write(line: string) {
      lines.push(line)
    },
  }
  return { log: createLogger({ level, pretty, destination }), lines, first: () => JSON.parse(lines[0]!) }
}

const startScript = (body: string) => {
  const source = `import { createLogger, closeLogger } from '${import.meta.resolve('#platform/log.ts')}'
    const log = createLogger({ level: 'info', pretty: false })
    ${body}`
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}
const runScript = (body: string) => text(startScript(body).stdout)

test('a line is JSON with the level as a word and the time in UTC with milliseconds', () => {
  const { log, first } = capture()
  log.info({ status: 200 }, 'request')
  const { time, ...rest } = first()
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 5000)
  assert.deepEqual(rest, { level: 'info', status: 200, msg: 'request' })
})

test('the time of a line is exact to the millisecond, also within one second and when the clock is set back', (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const { log, lines } = capture()
  const times = [0, 7, 42, 999, 1000, 86_399_999, 1_792_000_000_123, 999]
  for (const time of times) {
    t.mock.timers.setTime(time)
    log.info('line')
  }
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).time),
    times.map((time) => new Date(time).toISOString()),
  )
})

test('what is below the level is not written', () => {
  const { log, lines } = capture({ level: 'warn' })
  log.info('no')
  log.warn('yes')
  assert.equal(lines.length, 1)
  const silent = capture({ level: 'silent' })
  silent.log.fatal('no')
  assert.deepEqual(silent.lines, [])
})

test('secrets are masked by name, at any depth, in any case, and the object itself stays as it was', () => {
  const names = [
    ...['password', 'currentPassword', 'new_password', 'token', 'accessToken', 'refresh_token', 'tokens'],
    ...['key', 'apiKey', 'api_key', 'secretKey', 'secret', 'clientSecret', 'signature', 'Authorization'],
    ...['cookie', 'set-cookie', 'x-api-key', 'X-Api-Secret'],
  ]
  for (const name of names) {
    const { log, lines } = capture()
    const entry = { [name]: 'hunter2', a: { [name]: 'hunter2', b: [{ c: { [name]: ['hunter2'] } }] } }
    log.info(entry, 'x')
    assert.doesNotMatch(lines[0]!, /hunter2/, name)
    assert.equal(entry.a[name as 'b'], 'hunter2' as never, name)
  }
})

test('ordinary names are not masked', () => {
  const entry = {
    objectKey: 'a/b',
    keyPrefix: 'obj_1',
    statusCode: 200,
    code: 'E1',
    tokensLeft: 3,
    list: [{ n: 1 }],
  }
  const { log, first } = capture()
  log.info(entry)
  const { level: _level, time: _time, ...rest } = first()
  assert.deepEqual(rest, entry)
})

test('secrets in child bindings and on errors are masked too', () => {
  const { log, lines } = capture()
  log.child({ token: 'hunter2', service: 'storage' }).info('x')
  log.error({ err: Object.assign(new Error('broken'), { headers: { authorization: 'hunter2' } }) }, 'y')
  log.error(Object.assign(new Error('broken'), { password: 'hunter2' }))
  log.error({ err: { token: 'hunter2', text: 'thrown' } })
  assert.doesNotMatch(lines.join(''), /hunter2/)
  assert.equal(JSON.parse(lines[3]!).err.text, 'thrown')
  assert.match(lines[0]!, /"service":"storage"/)
  const { err } = JSON.parse(lines[1]!)
  assert.equal(err.message, 'broken')
  assert.match(err.stack, /log\.test\.ts/)
})

test('an object that contains itself is logged all the same', () => {
  const { log, lines } = capture()
  const loop: Record<string, unknown> = { name: 'loop' }
  loop.self = loop
  log.info({ loop }, 'x')
  assert.match(lines[0]!, /"name":"loop"/)
})

test('safeUrl hides secret parameters and passwords and nothing else', () => {
  const cases = [
    ['/public/objects/b/k?signature=abc&expires=1', '/public/objects/b/k?signature=***&expires=1'],
    [
      '/x?Token=a&code=b&key=c&secret=d&password=e#f',
      '/x?Token=***&code=***&key=***&secret=***&password=***#f',
    ],
    ['/x?to%6ben=a&access_token=b&%zz=1', '/x?to%6ben=***&access_token=***&%zz=1'],
    ['/x?a=token&objectKey=k&encoded=1', '/x?a=token&objectKey=k&encoded=1'],
    ['/x?token=&a', '/x?token=***&a'],
    ['postgres://user:p@ss@host:5432/db?x=1', 'postgres://user:***@host:5432/db?x=1'],
    ['/plain//a:b@c', '/plain//a:b@c'],
  ]
  for (const [from, to] of cases) assert.equal(safeUrl(from!), to)
})

test('a pretty line shows the time, the service, the message and its fields, and the stack of an error below', () => {
  const { log, lines } = capture({ pretty: true })
  log.info({ files: 2, path: '/a b', user: { id: 1 } }, 'cleaned up')
  assert.match(lines[0]!, /^\d\d:\d\d:\d\d trivet {6}cleaned up {2}files=2 path="\/a b" user=\{"id":1\}\n$/)
  log.child({ service: 'storage' }).warn({ blob: 'x' }, 'damaged')
  assert.match(lines[1]!, /^\S+ storage {5}warn {2}damaged {2}blob=x\n$/)
  log.error(new Error('broken'))
  assert.match(lines[2]!, /^\S+ trivet {6}error {2}broken\n {4}Error: broken\n +at .*log\.test\.ts/)
  log.error({ err: Object.assign(new Error('refused'), { code: '42P01' }), job: 'sweep' }, 'failed')
  assert.match(
    lines[3]!,
    /^\S+ trivet {6}error {2}failed {2}job=sweep\n {4}Error: refused\n[\s\S]*\n {4}code=42P01\n$/,
  )
})

test('a pretty line of a request shows status, method, address and duration first and its id last', () => {
  const request = { reqId: '00cb9686', method: 'GET', url: '/buckets', status: 401, ip: '127.0.0.1', ms: 1.9 }
  const { log, lines } = capture({ pretty: true })
  log.child({ service: 'storage' }).info(request, 'request')
  log.child({ service: 'publishing' }).info({ ...request, aborted: true }, 'request')
  assert.match(lines[0]!, /^\d\d:\d\d:\d\d storage {5}401 GET \/buckets {2}1\.9 ms {2}00cb9686\n$/)
  assert.match(lines[1]!, /^\S+ publishing {2}401 GET \/buckets {2}1\.9 ms {2}aborted=true {2}00cb9686\n$/)
})

test('pretty lines are coloured by status and by service', () => {
  const pretty = prettyLines(true)
  const colourOf = (status: number) =>
    /\x1b\[(\d+)m(\d{3})\x1b\[0m/.exec(
      pretty(JSON.stringify({ service: 'inventory', msg: 'request', status })),
    )?.[1]
  assert.deepEqual([200, 304, 404, 503].map(colourOf), ['32', '36', '33', '31'])
  assert.match(pretty('{"service":"inventory","msg":"x"}'), /\x1b\[38;2;94;234;212minventory /)
})

test('pretty lines cannot carry control characters to the terminal', () => {
  const { log, lines } = capture({ pretty: true })
  log.info({ path: '\x1b[2J\x9b\x07', '\x1b[2J': 1 }, 'a\nb\x1b[31m')
  assert.match(lines[0]!, /^[^\x00-\x09\x0b-\x1f\x7f-\x9f]*$/)
  assert.equal(lines[0]!.indexOf('\n'), lines[0]!.length - 1)
  log.error({ err: Object.assign(new Error('a\x1b[2J'), { '\x9b': '\x9b' }) }, 'failed')
  assert.match(lines[1]!, /^[^\x00-\x09\x0b-\x1f\x7f-\x9f]*$/)
})

test('everything logged before closeLogger is out when the process exits', async () => {
  const output = await runScript(`
    for (let i = 0; i < 5000; i++) log.info({ i }, 'line')
    await new Promise(setImmediate)
    log.info({ i: 5000 }, 'line')
    await closeLogger(log)
    process.kill(process.pid, 'SIGKILL')`)
  const numbers = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).i)
  assert.deepEqual(
    numbers,
    Array.from({ length: 5001 }, (_, i) => i),
  )
})

test('a fatal line is out even when nothing runs after it', async () => {
  const output = await runScript(`log.fatal('the end'); process.kill(process.pid, 'SIGKILL')`)
  assert.equal(JSON.parse(output).msg, 'the end')
})

test('an open logger does not keep the process alive, and its lines get out', async () => {
  assert.equal(JSON.parse(await runScript(`log.info('bye')`)).msg, 'bye')
})

test('a quiet moment flushes what is waiting, while the process goes on', async () => {
  const child = startScript(`log.info('soon'); setInterval(() => {}, 1000)`)
  const [line] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  assert.equal(JSON.parse(line).msg, 'soon')
})

test('a line is out also when the process exits right after it, and by itself', async () => {
  for (const pretty of [false, true]) {
    const output = await runScript(`
      const other = createLogger({ level: 'info', pretty: ${pretty} })
      for (let i = 0; i < 500; i++) other.info('line ' + i)
      process.exit(0)`)
    assert.equal(output.match(/line \d+/g)?.length, 500)
  }
})

test('a stalled reader of the log costs lines but neither memory nor time, and is told how many', async () => {
  const child = startScript(`
    const mebibytes = () => process.memoryUsage().rss / 2 ** 20
    const before = mebibytes()
    const text = 'x'.repeat(10_000)
    for (let i = 0; i < 100; i++) {
      for (let j = 0; j < 500; j++) log.info(text)
      await new Promise(setImmediate)
    }
    process.stderr.write(JSON.stringify({ grown: mebibytes() - before }) + '\\n')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    await closeLogger(log)
    log.info('afterwards')
    await closeLogger(log)
    process.exit(0)`)
  const { grown } = JSON.parse(String((await once(child.stderr, 'data'))[0]))
  assert.ok(grown < 250, `grew by ${grown} MiB with 500 MB of lines`)
  child.stdin.end('read on')
  const lines = (await text(child.stdout)).trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line))
  const dropped = entries.reduce((sum, { dropped = 0 }) => sum + dropped, 0)
  const kept = entries.filter(({ msg }) => msg.startsWith('xx')).length
  assert.equal(kept + dropped, 50_000)
  assert.ok(dropped > 45_000, `${dropped} were dropped`)
  assert.equal(entries.at(-1).msg, 'afterwards')
})

test('a stalled reader of the log cannot keep a process from exiting', async () => {
  const child = startScript(`
    process.stdout
    for (let i = 0; i < 1000; i++) log.info('x'.repeat(1000))
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.exit(0)`)
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('closeLogger waits for a destination that flushes, and not for one that cannot', async () => {
  let flushed = () => {}
  const destination = {
    write() {},
    flush(done: () => void) {
      flushed = done
    },
  }
  const slow = closeLogger(createLogger({ level: 'info', pretty: false, destination })).then(() => 'closed')
  assert.equal(await Promise.race([slow, setImmediate('still open')]), 'still open')
  flushed()
  assert.equal(await slow, 'closed')
  const quick = closeLogger(capture().log).then(() => 'closed')
  assert.equal(await Promise.race([quick, setImmediate('still open')]), 'closed')
})

test('an address of a million question marks is read once and cut', () => {
  const shown = safeUrl(`/nothing${'?'.repeat(1_000_000)}&token=abc`)
  assert.ok(shown.length < 2_100)
  for (const [url, safe] of [
    ['/a??token=abc', '/a??token=***'],
    ['/a?b=1?token=abc', '/a?b=1?token=abc'],
    ['/a?x=1&&to%6ben=abc#token=abc', '/a?x=1&&to%6ben=***#token=abc'],
    ['/a?token', '/a?token'],
    ['/a#b?token=abc', '/a#b?token=***'],
  ] as const)
    assert.equal(safeUrl(url), safe)
})

test('a line that is not JSON is shown as it is, without control characters', () => {
  const pretty = prettyLines(false)
  assert.equal(pretty('{"level":"info","ip":undefined}\n'), '{"level":"info","ip":undefined}\n')
  assert.equal(pretty('\x1b[2Jgarbage\n'), '\\x1b[2Jgarbage\n')
})
