import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOf, NoServer, serversOf } from './servers.ts'

const urls = (url: string) => serversOf(url).urls

test('a URL with one host is left as it is', () => {
  for (const url of [
    'postgres://user:p%40ss@db.example.org:5433/trivet?sslmode=require',
    'postgres://user@[::1]/trivet',
    'postgres:///trivet?host=/run/postgresql',
    'postgresql://db',
  ])
    assert.deepEqual(urls(url), [url])
})

test('a URL with several hosts stands for one server each, in order, with credentials, database and parameters', () => {
  assert.deepEqual(
    urls('postgres://user:p%2Css@a:5432,b,[::1]:5434/trivet?target_session_attrs=read-write'),
    [
      'postgres://user:p%2Css@a:5432/trivet?target_session_attrs=read-write',
      'postgres://user:p%2Css@b/trivet?target_session_attrs=read-write',
      'postgres://user:p%2Css@[::1]:5434/trivet?target_session_attrs=read-write',
    ],
  )
})

test('hosts and ports may be parameters, with one port for all or one for each', () => {
  const folders = encodeURIComponent('/run/a,/run/b')
  assert.deepEqual(urls(`postgres:///trivet?host=${folders}&port=5433`), [
    'postgres:///trivet?host=%2Frun%2Fa&port=5433',
    'postgres:///trivet?host=%2Frun%2Fb&port=5433',
  ])
  assert.deepEqual(urls('postgres://u@/trivet?host=a,b&port=1,2'), [
    'postgres://u@/trivet?host=a&port=1',
    'postgres://u@/trivet?host=b&port=2',
  ])
})

test('connect_timeout is in seconds, at least two, and ten if there is none', () => {
  const timeout = (query: string) => serversOf(`postgres://a,b/trivet${query}`).timeoutMs
  assert.deepEqual(
    ['', '?connect_timeout=0', '?connect_timeout=1', '?connect_timeout=7'].map(timeout),
    [10_000, 10_000, 2_000, 7_000],
  )
})

const servers = { urls: ['a', 'b', 'c'], timeoutMs: 1 }

test('servers are tried in turn until one can be used', async () => {
  const tried: string[] = []
  const open = async (url: string) => {
    tried.push(url)
    if (url !== 'b') throw new Error(`not ${url}`)
    return url
  }
  assert.equal(await firstOf(servers, open, assert.fail), 'b')
  assert.deepEqual(tried, ['a', 'b'])
})

test('when no server can be used, the error has the reason of each', async () => {
  const open = async (url: string) => {
    throw new Error(`not ${url}`)
  }
  await assert.rejects(firstOf(servers, open, assert.fail), (error: NoServer) => {
    assert.ok(error instanceof NoServer)
    assert.deepEqual(
      error.failures.map(({ url, error }) => [url, (error as Error).message]),
      [
        ['a', 'not a'],
        ['b', 'not b'],
        ['c', 'not c'],
      ],
    )
    return true
  })
})

test('a server that does not answer is passed over after a second, and discarded if it answers later', async () => {
  const late = Promise.withResolvers<string>()
  const discarded: string[] = []
  const opened = await firstOf(
    servers,
    (url) => (url === 'a' ? late.promise : Promise.resolve(url)),
    (other) => discarded.push(other),
  )
  assert.equal(opened, 'b')
  late.resolve('a')
  await late.promise
  assert.deepEqual(discarded, ['a'])
})
