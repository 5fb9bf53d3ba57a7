import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'

// Whatever shares the host with us can set cookies of our name. They neither replace a session nor lock its owner out.
const system = await boot()
const fromConsole = { 'x-trivet-console': '1' }
const cookieOf = ({ headers }: { headers: Headers }) =>
  String(headers.get('set-cookie')).split(';')[0] as string
const anyToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

type Browser = {
  /** Signs a new account in, and returns what it is shown as, and its cookie. */
  signIn(): Promise<{ name: string; cookie: string }>
  /** The status, and the page or the account that is shown. */
  visit(cookie: string): Promise<{ status: number; text: string }>
  signOut(cookie: string): Promise<number>
}

const consoleOf = (api: Client, sessions: string, register: () => Promise<{ email: string }>, me: string): Browser => ({
  async signIn() {
    const { email } = await register()
    const answer = await api(`POST ${sessions}`, { body: { email, password } })
    assert.equal(answer.status, 201, answer.text)
    return { name: email, cookie: cookieOf(answer) }
  },
  visit: (cookie) => api(`GET ${me}`, { headers: { cookie, ...fromConsole } }),
  signOut: async (cookie) => (await api(`DELETE ${sessions}`, { headers: { cookie, ...fromConsole } })).status,
}) // biome-ignore format: one line

const pages = system.publishing
const asForm = (fields: Record<string, string>) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const browsers: Record<string, Browser> = {
  storage: consoleOf(system.storage, '/auth/session', () => storageOwner(system), '/auth/me'),
  inventory: consoleOf(
    system.inventory,
    '/api/auth/session',
    () => inventoryAdmin(system),
    '/api/auth/session',
  ),
  publishing: {
    async signIn() {
      const { email, handle } = await publisher(system)
      return {
        name: `@${handle}`,
        cookie: cookieOf(await pages('POST /sign-in', asForm({ email, password }))),
      }
    },
    visit: (cookie) => pages.with({ cookie })('GET /settings'),
    async signOut(cookie) {
      const browser = pages.with({ cookie })
      const [, token = ''] = /name="token" value="([^"]+)"/.exec((await browser('GET /keys')).text) ?? []
      return (await browser('POST /sign-out', asForm({ token }))).status
    },
  },
}

for (const [service, { signIn, visit, signOut }] of Object.entries(browsers)) {
  const named = (token: string) => `trivet_${service}=${token}`
  const isIn = async (cookie: string, name: string) => {
    const { status, text } = await visit(cookie)
    assert.equal(status, 200)
    assert.ok(text.includes(name), name)
  }

  test(`${service}: cookies with wrong values do not lock out a session, however many there are`, async () => {
    const { name, cookie } = await signIn()
    const wrong = ['', 'x', '"', 'a b', '%', 'x'.repeat(43), anyToken(), 'é'].map(named)
    for (const planted of wrong) {
      await isIn(`${planted}; ${cookie}`, name)
      await isIn(`${cookie}; ${planted}`, name)
    }
    // As many as fit into a request.
    const many = Array.from({ length: 190 }, () => named(anyToken()))
    await isIn([...many, cookie].join('; '), name)
    await isIn([cookie, ...many].join('; '), name)
    assert.notEqual((await visit(many.join('; '))).status, 200)
  })

  test(`${service}: a planted session of another account does not replace one's own, and ends with it`, async () => {
    const victim = await signIn()
    const attacker = await signIn()
    // For a longer path, so that browsers send it first.
    const both = `${attacker.cookie}; ${victim.cookie}`
    await isIn(both, victim.name)
    assert.ok((await signOut(both)) < 400)
    for (const cookie of [both, victim.cookie, attacker.cookie])
      assert.notEqual((await visit(cookie)).status, 200)
  })

  test(`${service}: an ended session in front of a living one does not matter`, async () => {
    const [ended, living] = [await signIn(), await signIn()]
    assert.ok((await signOut(ended.cookie)) < 400)
    await isIn(`${living.cookie}; ${ended.cookie}`, living.name)
    await isIn(`${ended.cookie}; ${living.cookie}`, living.name)
  })
}
