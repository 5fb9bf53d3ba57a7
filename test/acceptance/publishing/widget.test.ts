import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_widget' })
const write = (content: string, by = mira) => writePost(by, content)

test('the widget script is small, cacheable and responds 304', async () => {
  const { status, headers, text } = await publishing('GET /widget/feed.js')
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/javascript/)
  assert.match(headers.get('cache-control')!, /public, max-age=/)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.ok(text.length < 4_000)
  const etag = headers.get('etag')!
  const known = await publishing('GET /widget/feed.js', { headers: { 'if-none-match': etag } })
  assert.equal(known.status, 304)
  assert.equal(known.headers.get('content-length'), null)
})

test('the embed page may be framed by every site, sets no cookie and runs no script without its nonce', async () => {
  await write('hello widget')
  const { status, headers, text } = await publishing('GET /widget/embed/mira_widget')
  assert.equal(status, 200)
  const csp = headers.get('content-security-policy')!
  assert.match(csp, /default-src 'none'; .*frame-ancestors \*/)
  assert.equal(headers.get('set-cookie'), null)
  assert.equal(headers.get('x-frame-options'), null)
  const nonce = /script-src 'nonce-([^']+)'/.exec(csp)![1]!
  assert.equal(text.split(`nonce="${nonce}"`).length, 3)
  assert.ok(text.includes('hello widget'))
  const again = await publishing('GET /widget/embed/mira_widget')
  assert.ok(!again.headers.get('content-security-policy')!.includes(nonce))
  assert.ok(!again.text.includes(nonce))
})

test('the embed page names its owner once, and other authors at their posts', async () => {
  const [owner, other] = [await publisher(system), await publisher(system, { username: 'Somebody Else' })]
  await write('one of mine', owner)
  await write('another of mine', owner)
  const { id } = await write('worth repeating', other)
  await owner.api(`POST /api/posts/${id}/repost`)
  const { text } = await publishing(`GET /widget/embed/${owner.handle}`)
  const main = text.slice(text.indexOf('<main'))
  assert.equal(main.split(`>@${owner.handle}<`).length, 2)
  assert.equal(main.split(`>@${other.handle}<`).length, 2)
  assert.match(main, /Somebody Else/)
})

test('the embed page takes a count of 1 to 20, 5 by default, and one of three themes', async () => {
  for (let n = 0; n < 22; n++) await write(`number ${n}`)
  const shown = async (query: string) =>
    (await publishing(`GET /widget/embed/mira_widget${query}`)).text.split('<article').length - 1
  assert.equal(await shown(''), 5)
  assert.equal(await shown('?count=1'), 1)
  assert.equal(await shown('?count=20'), 20)
  for (const query of ['?count=0', '?count=21', '?count=x', '?theme=pink']) {
    const { status, headers } = await publishing(`GET /widget/embed/mira_widget${query}`)
    assert.equal(status, 422, query)
    assert.match(headers.get('content-type')!, /html/)
    assert.match(headers.get('content-security-policy')!, /frame-ancestors \*/)
  }
  for (const theme of ['dark', 'light'])
    assert.ok(
      (await publishing(`GET /widget/embed/mira_widget?theme=${theme}`)).text.includes(
        `data-theme="${theme}"`,
      ),
    )
  assert.ok(!(await publishing('GET /widget/embed/mira_widget?theme=auto')).text.includes('data-theme="'))
})

test('a cached embed page changes with posts, edits, deletions and the profile', async () => {
  const read = async () => (await publishing('GET /widget/embed/mira_widget?count=2')).text
  await read()
  const post = await write('fresh from the press')
  assert.match(await read(), /fresh from the press/)
  await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'corrected' } })
  assert.match(await read(), /corrected/)
  await mira.api('PATCH /api/users/me', { body: { username: 'Renamed' } })
  assert.match(await read(), /Renamed/)
  await mira.api(`DELETE /api/posts/${post.id}`)
  assert.doesNotMatch(await read(), /corrected/)
})

test('the embed page responds 304 until it changes, and the 304 has no new policy', async () => {
  const path = 'GET /widget/embed/mira_widget?count=1'
  const post = await write('known already')
  const changes = {
    edit: () => mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'known, edited' } }),
    profile: () => mira.api('PATCH /api/users/me', { body: { username: 'Known' } }),
    delete: () => mira.api(`DELETE /api/posts/${post.id}`),
    add: () => write('brand new'),
  }
  for (const [name, change] of Object.entries(changes)) {
    const etag = (await publishing(path)).headers.get('etag')!
    assert.match(etag, /^W\/"/)
    for (const tags of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const known = await publishing(path, { headers: { 'if-none-match': tags } })
      assert.equal(known.status, 304, `${name} ${tags}`)
      assert.equal(known.text, '')
      assert.equal(known.headers.get('content-security-policy'), null)
      assert.equal(known.headers.get('etag'), etag)
    }
    await change()
    assert.equal((await publishing(path, { headers: { 'if-none-match': etag } })).status, 200, name)
  }
  const themed = await publishing(`${path}&theme=dark`)
  const etag = themed.headers.get('etag')!
  assert.equal((await publishing(path, { headers: { 'if-none-match': etag } })).status, 200)
})

test('the embed page of an unknown, empty or protected account shows a note', async () => {
  const quiet = await publisher(system)
  const empty = await publishing(`GET /widget/embed/${quiet.handle}`)
  assert.equal(empty.status, 200)
  assert.match(empty.text, /Nothing here yet/)
  await quiet.api('PATCH /api/users/me', { body: { is_protected: true } })
  const hidden = await publishing(`GET /widget/embed/${quiet.handle}?theme=dark`)
  assert.equal(hidden.status, 403)
  assert.match(hidden.text, /not public/)
  assert.match(hidden.text, /data-theme="dark"/)
  for (const handle of ['nobody_widget', 'x', '%00', '..%2f', '%3Cscript%3E']) {
    const unknown = await publishing(`GET /widget/embed/${handle}`)
    assert.equal(unknown.status, 404)
    assert.match(unknown.text, /no such account/)
  }
})
