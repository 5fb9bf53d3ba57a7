import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { loadConfig } from '#platform/config.ts'
import { freePort } from '#test/support/postgres.ts'
import { checkPorts } from './ports.ts'

/** Connects over and over until it is told to stop, and then reports what became of it. */
const connectAgainAndAgain = `
  const { connect } = require('node:net')
  const { parentPort, workerData: port } = require('node:worker_threads')
  const outcomes = new Set()
  let isOver = false
  parentPort.once('message', () => { isOver = true })
  const attempt = () => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => { outcomes.add('connected'); socket.destroy() })
    socket.once('error', ({ code }) => outcomes.add(code))
    socket.once('close', () => {
      if (!isOver) return attempt()
      parentPort.postMessage([...outcomes])
      parentPort.close()
    })
  }
  attempt()
  parentPort.postMessage('started')`

test('while ports are checked, nobody can connect to them', async () => {
  const port = await freePort()
  const config = loadConfig({ TRIVET_SERVICES: 'publishing', PUBLISHING_PORT: String(port) })
  const client = new Worker(connectAgainAndAgain, { eval: true, workerData: port })
  await once(client, 'message')
  for (let times = 0; times < 500; times++) await checkPorts(config)
  client.postMessage('stop')
  assert.deepEqual(await once(client, 'message'), [['ECONNREFUSED']])
})
