import assert from 'node:assert/strict'
import { test } from 'node:test'
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
