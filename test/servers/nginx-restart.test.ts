import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveProcess } from '#test/processes/fixtures/trivet-process.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { until } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { nodes, startNginx, toNodes } from '#test/support/nginx.ts'
import { freePort } from '#test/support/postgres.ts'

const perRequest = {
  location: toNodes.replace('Connection ""', 'Connection close'),
  upstream: (ports: readonly number[]) => nodes(ports).replace('keepalive 32;', ''),
}

for (const [name, workers, { location, upstream }] of [
  ['two nodes', '1', { location: toNodes, upstream: nodes }],
  ['two nodes with two workers each, and a connection for every request,', '2', perRequest],
] as const)
  test(`while ${name} behind nginx are restarted one after the other, no POST or GET fails`, {
    timeout: 400_000,
  }, async () => {
    const database = await freshDatabase()
    cleanUp(() => database.drop())
    const folder = await temporaryFolder('rolling')
    const ports = [await freePort(), await freePort()] as const
    const start = (n: 0 | 1) =>
      serveProcess({
        DATABASE_URL: database.url,
        TRIVET_DATA: join(folder, String(n)),
        TRIVET_SECRET: 'a secret for both nodes',
        TRIVET_SERVICES: 'publishing',
        TRIVET_WORKERS: workers,
        PUBLISHING_PORT: String(ports[n]),
        TRUST_PROXY: '1',
        DRAIN_SECONDS: '1',
      })
    const running = [await start(0), await start(1)]
    cleanUp(() => Promise.all(running.map((node) => node.stop())))
    const nginx = await startNginx(location, upstream(ports))
    cleanUp(() => nginx.stop())

    const publishing = client(nginx.url)
    const { api, handle } = await publisher({ publishing })
    let isOver = false
    const posted: number[] = []
    let read = 0
    const failed: string[] = []
    // As busy as it takes to notice a gap: a node that starts needs the processor, too.
    const pauseMs = 10
    const tally = async (call: string, work: () => Promise<{ status: number; text: string }>) => {
      const { status, text } = await work().catch((error) => ({
        status: 0,
        text: String(error.cause ?? error),
      }))
      if (status >= 300 || status === 0) failed.push(`${call} ${status} ${text}`)
      await sleep(pauseMs)
    }
    const writer = async (n: number) => {
      for (let count = 0; !isOver; count++)
        await tally('POST', async () => {
          const answer = await api('POST /api/posts', { body: { content: `post ${n} ${count}` } })
          if (answer.status === 201) posted.push(answer.body.data.post.id)
          return answer
        })
    }
    const reader = async () => {
      while (!isOver) {
        await tally('GET', () => publishing(`GET /api/users/${handle}`))
        read++
      }
    }
    const load = [...[1, 2, 3, 4].map(writer), ...[1, 2, 3, 4].map(reader)]
    const enough = (more: number) => {
      const [posts, reads] = [posted.length + more, read + more]
      return until(`${more} more posts and reads`, () => posted.length >= posts && read >= reads)
    }
    await enough(50)
    for (const n of [0, 1] as const) {
      const { code, errors } = await (running[n] as (typeof running)[0]).stop('SIGTERM')
      assert.equal(code, 0, errors)
      await enough(20)
      running[n] = await start(n)
      await enough(50)
    }
    isOver = true
    await Promise.all(load)
    assert.deepEqual(failed, [])
    assert.equal(new Set(posted).size, posted.length)
  })
