import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'

const { platform } = await boot()

/** Takes a little at a time, with pauses, as a target on a slow network does. */
const slowly = async (source: AsyncIterable<Buffer>) => {
  let bytes = 0
  for await (const chunk of source) {
    if (chunk.length > 1_000) await sleep(1)
    bytes += chunk.length
  }
  return bytes
}

test('a COPY to a slow target finishes, and the next statement on the connection works', {
  timeout: 60_000,
}, async () => {
  await platform.db.bulk('isolation level repeatable read read only', async (tx) => {
    for (const kilobytes of [0, 1, 8, 45, 63, 64, 65, 100, 128, 147, 256, 300, 512, 700, 900, 3_000, 9_000]) {
      const rows = tx.copyTo(
        `copy (select repeat('x', 1023) from generate_series(1, ${kilobytes})) to stdout`,
      )
      assert.equal(await slowly(rows), kilobytes * 1024)
      assert.equal(rows.rowCount, kilobytes)
      const [next] = await tx<{ n: number }[]>`select ${kilobytes}::int as n`
      assert.equal(next?.n, kilobytes)
    }
  })
})

test('db.bulk fails if one of its statements failed', async () => {
  await assert.rejects(
    platform.db.bulk('', async (tx) => {
      await tx`select 1 / 0`.catch(() => {})
    }),
    /rolled back/,
  )
})
