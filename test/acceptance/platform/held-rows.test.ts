import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { publisher, storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { shop } from '../inventory/scene.ts'

type Answered = ReturnType<Client>
/** A tenant of one of the services: `writes` all wait for the same lock, which `lock` takes. */
type Tenant = { lock: string; writes: (() => Answered)[] }

const system = await boot()
/** More than one tenant may have sessions for. */
const many = 12
const times = <T>(make: (n: number) => T) => Array.from({ length: many }, (_, n) => make(n))
/** What is held is held for as long as the test takes. A busy machine may need seconds for a write that waits for nothing. */
const slowMs = 5_000
let count = 0

const organization = async (): Promise<Tenant & { others: (() => Answered)[] }> => {
  const { api, organization } = await storageOwner(system)
  const bucket = (await api('POST /buckets', { body: { name: 'files' } })).body.id
  const put = (key: string) => api(`PUT /buckets/${bucket}/objects/${key}`, { raw: Buffer.from('content') })
  for (const n of [0, 1, 2]) await put(`removed-${n}`)
  let removed = 0
  return {
    lock: `select from storage.organizations where id = '${organization.id}' for update`,
    writes: times((n) => () => put(`file-${n}-${++count}`)),
    others: [
      () => put(`alone-${++count}`),
      () => api('POST /buckets', { body: { name: `more-${++count}` } }),
      () => api(`DELETE /buckets/${bucket}/objects/removed-${removed++}`),
    ],
  }
}

const account = async (): Promise<Tenant & { others: (() => Answered)[] }> => {
  const { api, user } = await publisher(system)
  const posting = () => api('POST /api/posts', { body: { content: `Hello ${++count}` } })
  const { id } = (await posting()).body.data.post
  return {
    lock: `select from publishing.users where id = ${user.id} for update`,
    writes: times(() => posting),
    others: [posting, () => api(`POST /api/posts/${id}/like`)],
  }
}

const company = async (): Promise<Tenant & { others: (() => Answered)[] }> => {
  const s = await shop(system)
  const product = await s.product(5)
  return {
    lock: `select from inventory.products where id = ${product} for update`,
    writes: times((n) => () => (n % 2 ? s.adjust(product, 1) : s.order([[product, 1]]))),
    others: [
      () => s.adjust(product, 1),
      () => s.order([[product, 1]]),
      () => s.api('POST /api/customers', { body: { name: 'Mira', email: `mira-${++count}@example.com` } }),
    ],
  }
}

const services = { storage: organization, publishing: account, inventory: company }

for (const [name, make] of Object.entries(services))
  test(`while rows of two tenants of ${name} are held, others write in all services as quickly as ever`, async () => {
    const held = [await make(), await make()]
    const free = await Promise.all(Object.values(services).map((service) => service()))
    const { release } = await hold(system, async (tx) => {
      for (const { lock } of held) await tx.unsafe(lock)
    })
    const waiting = Promise.all(held.flatMap(({ writes }) => writes.map((write) => write())))
    try {
      await waitingForLocks(system, 2)
      for (let round = 0; round < 3; round++)
        for (const write of free.flatMap(({ others }) => others)) {
          const begun = performance.now()
          const { status, text } = await write()
          assert.ok(status < 300, `${status} ${text}`)
          const ms = performance.now() - begun
          assert.ok(ms < slowMs, `it did not wait for what is held, but took ${ms} ms`)
        }
    } finally {
      await release()
      await waiting
    }
    for (const { status, text } of await waiting) assert.ok(status < 300, `${status} ${text}`)
  })
