import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { postmasterPid } from '#test/support/postmaster.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

test('after kill -9 of the database and the server under load each acknowledged post exists once', async (t) => {
  const dataDir = await temporaryFolder('posts')
  const env = { TRIVET_DATA: dataDir, TRIVET_SERVICES: 'publishing' }
  const first = await serveProcess(env)
  t.after(() => first.stop('SIGKILL'))
  const publishing = client(first.urls.publishing)
  const writers = await Promise.all(Array.from({ length: 12 }, () => publisher({ publishing })))

  const answered = new Map<number, string>()
  const statuses = new Set<number>()
  let isOver = false
  // Two of each account, so that some posts have to wait for others.
  const posting = [...writers, ...writers].map(async ({ api }, who) => {
    for (let n = 0; !isOver; n++) {
      const content = `post ${n} of ${who} #tag${n % 3}`
      const answer = await api('POST /api/posts', { body: { content } }).catch(() => null)
      if (!answer) return
      statuses.add(answer.status)
      if (answer.status === 201) answered.set(answer.body.data.post.id, content)
      else await sleep(20)
    }
  })
  const more = (count: number) => {
    const enough = answered.size + count
    return until(`${count} more posts are answered`, () => answered.size >= enough)
  }

  for (let round = 0; round < 3; round++) {
    await more(150)
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await more(50)
  }
  await first.stop('SIGKILL')
  isOver = true
  await Promise.all(posting)
  assert.deepEqual(statuses, new Set([201, 503]))

  const second = await serveProcess(env)
  t.after(() => second.stop())
  const again = client(second.urls.publishing)
  for (const [id, content] of answered)
    assert.equal((await again(`GET /api/posts/${id}`)).body.data?.content, content, `post ${id}`)
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', 'verify'], {
    env: { ...process.env, ...env },
  })
  assert.match(stdout, /as it should be/)
})
