import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect } from '#platform/db/connection.ts'
import { openDatabase } from '#platform/db/database.ts'
import type { Cluster } from '#platform/embedded-postgres/cluster.ts'
import { eventually } from '#test/support/eventually.ts'
import { query, scene } from './fixtures/cluster-scene.ts'

/** Two servers, of which each says by its table `notes` what was written to it. */
const twoServers = async (t: TestContext) => {
  const [a, b] = [await scene(t, { name: 'a' }), await scene(t, { name: 'b' })]
  const [one, other] = [await a.open(), await b.open()] as const
  const hosts = [one, other].map(({ connection }) => connection.host)
  const url = `postgres://trivet@/trivet?host=${encodeURIComponent(hosts.join())}&target_session_attrs=read-write`
  return { one, other, url }
}

/** As of now, also in the sessions that are open. */
const setReadOnly = async ({ connection }: Cluster, value: 'on' | 'off') => {
  // It accepts writes again only after somebody has said so in a session that does.
  const session = await connect(connection, {
    applicationName: 'test',
    settings: { default_transaction_read_only: 'off' },
  })
  await session.query({ text: `alter system set default_transaction_read_only = ${value}` })
  await session.query({ text: 'select pg_reload_conf()' })
  await session.end()
  await eventually(async () => {
    const found = await connect(connection, { applicationName: 'test' }).then(
      (writable) => writable.end().then(() => 'off'),
      () => 'on',
    )
    assert.equal(found, value)
  })
}

const notes = (cluster: Cluster) => query(cluster, 'select text from notes order by text')

test('of several hosts the first that is writable is used, and the next after each loss', async (t) => {
  const { one, other, url } = await twoServers(t)
  await setReadOnly(one, 'on')
  const db = await openDatabase(url)
  t.after(() => db.close())
  const write = (text: string) => db.write((q) => q`insert into notes values (${text})`)
  await write('to the other')
  await setReadOnly(one, 'off')
  await setReadOnly(other, 'on')
  // The sessions are open, and were demoted with their server. What was on its way may be refused.
  await eventually(() => write('to the one'))
  await db.transaction((tx) => tx`insert into notes values ('in a transaction')`)
  await setReadOnly(other, 'off')
  await one.close()
  await eventually(() => write('to the other again'))
  const rows = (await notes(other)).map(({ text }) => text)
  assert.deepEqual(rows, ['kept', 'to the other', 'to the other again'])
})

test('when no host is writable, the start says why of each', async (t) => {
  const { one, other, url } = await twoServers(t)
  await setReadOnly(one, 'on')
  const hosts = [one, other].map(({ connection }) => connection.host)
  await other.close()
  await assert.rejects(openDatabase(url), (error: Error) => {
    const reasons = `cannot be used: ${hosts[0]} is read-only; no PostgreSQL listens in ${hosts[1]}.`
    assert.ok(error.message.endsWith(reasons), error.message)
    return true
  })
  await setReadOnly(one, 'off')
})
