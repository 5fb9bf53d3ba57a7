import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { banner } from '#src/banner.ts'

const start = {
  services: [
    { name: 'storage', url: 'http://localhost:4001', console: 'http://localhost:4001/console' },
    { name: 'publishing', url: 'http://localhost:4002' },
    { name: 'inventory', url: 'http://localhost:4003' },
  ],
  dataDir: '/srv/trivet/data',
  database: 'embedded PostgreSQL 18',
  demoHint: true,
  colour: false,
} as const

const fits = (text: string) => {
  const lines = text.trimEnd().split('\n')
  assert.ok(lines.length <= 14, `${lines.length} lines`)
  for (const line of lines) assert.ok(line.length <= 80, line)
}

test('it says where everything is, how to fill it and how to stop it', () => {
  const text = banner(start)
  fits(text)
  for (const { name, url } of start.services) {
    const begin = name === 'storage' ? `${url}/console` : url
    assert.match(text, new RegExp(`${name} +${begin} +${url}/docs\n`))
  }
  assert.match(text, /data +\/srv\/trivet\/data\n/)
  assert.match(text, /database +embedded PostgreSQL 18\n/)
  assert.match(text, /npx trivet demo\n/)
  assert.match(text, /stop +Ctrl\+C\n/)
  assert.doesNotMatch(text, /\x1b/)
})

test('one service alone and no hint make it shorter', () => {
  const text = banner({ ...start, services: [start.services[1]], demoHint: false })
  assert.doesNotMatch(text, /4001|4003|demo/)
  assert.match(text, /publishing +http:\/\/localhost:4002/)
})

test('long addresses stay whole and long paths are cut in the middle', () => {
  const url = 'https://publishing.services.example.org'
  const dataDir = `/srv/${'long/'.repeat(30)}data`
  const text = banner({ ...start, services: [{ name: 'publishing', url }], dataDir })
  fits(text)
  assert.match(text, new RegExp(`${url} +/docs\n`))
  assert.match(text, /data +\/srv\/long.*….*long\/data\n/)
})

test('colours add nothing but the accents of the services and emphasis', () => {
  const text = banner({ ...start, colour: true })
  assert.equal(stripVTControlCharacters(text), banner(start))
  assert.match(text, /\x1b\[38;2;145;167;255mstorage/)
  assert.match(text, /\x1b\[38;2;253;186;116mpublishing/)
  assert.match(text, /\x1b\[38;2;94;234;212minventory/)
})
