import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import { createMetrics } from '../metrics.ts'
import { accessLog } from './access-log.ts'

const finished = {
  method: 'GET',
  url: '/a?token=abc',
  route: '/a',
  status: 200,
  id: 'id',
  trace: undefined,
  ip: '',
  ms: 1.23,
  aborted: true,
}

test('a request is logged without secrets, also when its client address is not known', () => {
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    pretty: false,
    destination: { write: (line) => void lines.push(line) },
  })
  accessLog({ log } as Platform, createMetrics('test'))(finished)
  const { time: _, ...rest } = JSON.parse(lines[0]!)
  assert.deepEqual(rest, {
    level: 'info', reqId: 'id', method: 'GET', url: '/a?token=***', status: 200, ip: null, ms: 1.2, aborted: true,
    msg: 'request',
  }) // biome-ignore format: as a line
})

test('a request is counted with its true time, by method, route and status', async () => {
  const log = createLogger({ level: 'silent', pretty: false })
  const metrics = createMetrics('test')
  const record = accessLog({ log } as Platform, metrics)
  record({ ...finished, ms: 3 })
  record({ ...finished, ms: 40 })
  const text = await metrics.text()
  const value = (name: string, labels: string) =>
    new RegExp(`^trivet_http_request_seconds_${name}\\{${labels}service="test",method="GET",route="/a",status="200"\\} (.*)$`, 'm').exec(text)?.[1] // biome-ignore format: one line
  assert.equal(value('count', ''), '2')
  assert.equal(Number(value('sum', '')).toFixed(3), '0.043')
  assert.equal(value('bucket', 'le="0.0025",'), '0')
  assert.equal(value('bucket', 'le="0.005",'), '1')
  assert.equal(value('bucket', 'le="0.05",'), '2')
})
