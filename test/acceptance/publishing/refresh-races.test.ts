import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'

const system = await boot()
const { publishing } = system

const refresh = (refreshToken: string) => publishing('POST /api/auth/refresh', { body: { refreshToken } })
const logOut = (refreshToken: string) => publishing('POST /api/auth/logout', { body: { refreshToken } })

/** No token of this account can be exchanged until it is released. */
const holdSessions = (userId: number) =>
  hold(system, (tx) => tx`select from publishing.sessions where user_id = ${userId} for update`)

test('of many concurrent requests with one refresh token, exactly one gets new tokens', async () => {
  for (let round = 0; round < 3; round++) {
    const { user, refreshToken } = await publisher(system)
    const held = await holdSessions(user.id)
    const asked = Array.from({ length: 8 }, () => refresh(refreshToken))
    await waitingForLocks(system, 8)
    await held.release()
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 401)])
    const left = await system.sql`select from publishing.sessions where user_id = ${user.id}`
    assert.equal(left.length, 0, 'a token that was presented twice ends its session')
  }
})

for (const [how, end] of [
  ['the stolen token is presented again', refresh],
  ['the owner signs out', logOut],
] as const)
  test(`a stolen refresh token that is being rotated when ${how} stops working`, async () => {
    for (let round = 0; round < 5; round++) {
      const { user, refreshToken: stolen } = await publisher(system)
      const thief = (await refresh(stolen)).body.data.refreshToken
      const held = await holdSessions(user.id)
      const rotating = refresh(thief)
      await waitingForLocks(system, 1)
      const ending = end(stolen)
      await waitingForLocks(system, 2)
      await held.release()
      const [rotated] = await Promise.all([rotating, ending])
      assert.equal(rotated.status, 200, 'it was under way before')
      assert.equal((await refresh(rotated.body.data.refreshToken)).status, 401)
    }
  })

test('a stolen refresh token that is rotated all the time stops working once the owner uses it', async () => {
  for (let round = 0; round < 10; round++) {
    const { refreshToken: stolen } = await publisher(system)
    let latest = (await refresh(stolen)).body.data.refreshToken as string
    const rotating = (async () => {
      for (let turns = 0; turns < 300; turns++) {
        const { status, body } = await refresh(latest)
        if (status !== 200) return status
        latest = body.data.refreshToken
      }
      return 'still in'
    })()
    assert.equal((await refresh(stolen)).status, 401)
    assert.equal(await rotating, 401)
    assert.equal((await refresh(latest)).status, 401)
  }
})
