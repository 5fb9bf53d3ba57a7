import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

test('responses to URLs with unknown query parameters are not cached', async () => {
  const system = await boot()
  const { api, handle } = await publisher(system)
  const { id } = (await api('POST /api/posts', { body: { content: 'small' } })).body.data.post
  const paths = [
    `/api/posts/${id}`,
    `/api/users/${handle}`,
    `/api/users/${handle}/feed.rss`,
    `/widget/embed/${handle}`,
  ]
  const junk = 'x'.repeat(14_000)
  const ask = (n: number) =>
    Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${system.urls.publishing}${path}?none=${n}${junk}`)
        await response.arrayBuffer()
        return response.status
      }),
    )
  assert.deepEqual(await ask(0), [200, 200, 200, 200])
  const before = heap()
  for (let n = 1; n <= 250; n++) await ask(n)
  const grown = (heap() - before) / 1024 / 1024
  assert.ok(grown < 10, `${grown} MiB`)
})
