import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createJobs } from '#platform/jobs.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { hold } from '#test/support/locks.ts'
import { mails, mailsTo } from '#test/support/mail.ts'

const system = await boot()
const { db, jobs } = system.platform
const people = await Promise.all(Array.from({ length: 4 }, () => storageOwner(system)))
const [first, second, third, fourth] = people.map(({ email }) => email) as [string, string, string, string]

const job = 'storage.send-reset-mail'
const data = (email: string) => ({ email, ip: '127.0.0.1' })
const mailed = async (email: string) => (await mails(system)).some((text) => text.includes(`To: ${email}`))

test('a job that was sent in a transaction does not run if that is rolled back', async () => {
  await assert.rejects(
    db.transaction(async (tx) => {
      await jobs.send(tx, job, data(first))
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  await db.transaction((tx) => jobs.send(tx, job, data(second)))
  await mailsTo(system, second)
  assert.equal(await mailed(first), false, 'the queue, which works in order, has passed it')
})

test('a job runs only after the transaction that sent it has committed', async () => {
  const { release: commit } = await hold(system, (tx) => jobs.send(tx, job, data(third)))
  await db.transaction((tx) => jobs.send(tx, job, data(fourth)))
  await mailsTo(system, fourth)
  assert.equal(await mailed(third), false)
  await commit()
  await mailsTo(system, third)
})

test('a job that runs while the system stops is told so, and the system waits for its end', async () => {
  const { config, log } = system.platform
  const queue = createJobs(config.databaseUrl as string, db, log)
  const steps: string[] = []
  const began = Promise.withResolvers<void>()
  await queue.start([
    {
      name: 'test.long',
      async run(_, signal) {
        began.resolve()
        await once(signal!, 'abort')
        steps.push('told')
        await setImmediate()
        steps.push('ended')
      },
    },
  ])
  await db.transaction((tx) => queue.send(tx, 'test.long', {}))
  await began.promise
  await queue.close()
  assert.deepEqual(steps, ['told', 'ended'])
})
