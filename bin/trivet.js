#!/usr/bin/env node
// The trivet command. Any Node can run this file; the Node that Trivet needs is one of its packages.
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { node, requireInstalled } from './installed.js'
import { allocation, nodeOptions } from './options.js'

requireInstalled()
const main = new URL('../src/main.ts', import.meta.url)

if (process.execPath === realpathSync(node)) {
  await import(main.href)
} else {
  const child = spawn(node, [...nodeOptions, main.pathname, ...process.argv.slice(2)], {
    env: { ...allocation, ...process.env },
    stdio: 'inherit',
  })
  // Ctrl+C reaches both; this process waits for the other one, which may have something to finish.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (!signal) return
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
