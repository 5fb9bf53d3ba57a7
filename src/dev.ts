import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `npm run dev`: serves with demo data, and again after each change below src. Consoles follow their sources without that.
 * Unlike `node --watch`, it lets a server finish and stop its database before it ends, and shows addresses and logins only
 * once.
 */
const main = fileURLToPath(new URL('main.ts', import.meta.url))
const quietMs = 100

let server: ChildProcess | undefined
let starts = 0
let isEnding = false
let isStale = false

const start = () => {
  isStale = false
  const options = ['serve', '--demo', '--pretty', '--development', ...(starts++ > 0 ? ['--restarted'] : [])]
  server = spawn(process.execPath, [main, ...options], { stdio: 'inherit' })
  server.on('exit', (code) => {
    server = undefined
    if (isEnding) process.exit(code ?? 1)
    if (isStale) start()
    else
      process.stderr.write(`The server has ended with code ${code}; it starts again after the next change.\n`)
  })
}

const restart = () => {
  isStale = true
  if (server) server.kill('SIGINT')
  else start()
}

let timer: NodeJS.Timeout | undefined
watch(new URL('.', import.meta.url), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(restart, quietMs)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isEnding = true
    if (server) server.kill(signal)
    else process.exit(0)
  })

start()
