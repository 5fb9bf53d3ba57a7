import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf } from './support/forms.ts'
import { notificationsOf, toldTo, unreadOf } from './support/notifications.ts'

const system = await boot()
const { publishing } = system

const read = async (browser: Client, path = '/notifications') => {
  const { status, text } = await browser(`GET ${path}`)
  assert.equal(status, 200, text)
  return text
}
const mainOf = (text: string) => text.slice(text.indexOf('<main'), text.indexOf('</main>'))
const inWords = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ')
const entries = (text: string) => mainOf(text).split('<li class="told').slice(1).map(inWords)
const bellOf = (text: string) => /<a class="bell"[^>]*aria-label="([^"]+)"/.exec(text)?.[1]

/** An account with a browser of its own. */
const somebody = async (more: object = {}) => {
  const account = await publisher(system, more)
  return { ...account, ...(await browserOf(publishing, account.email)) }
}

test('the page of notifications says who did what, groups likes of one post, and links to the post', async () => {
  const mira = await somebody({ handle: 'mira_told', username: 'Mira' })
  const post = await writePost(mira, 'Some **bold** words <b>')
  const names = ['Ada', 'Ben', 'Cleo', 'Dan']
  for (const username of names) {
    const fan = await publisher(system, { username, handle: `${username.toLowerCase()}_told` })
    await fan.api(`POST /api/posts/${post.id}/like`)
    if (username === 'Dan') {
      await writePost(fan, 'What do you **mean**?', { type: 'reply', parentId: post.id })
      await fan.api('POST /api/users/mira_told/follow')
    }
  }
  const page = await read(mira.browser)
  const [follow, reply, likes, ...rest] = entries(page)
  assert.deepEqual(rest, [])
  assert.match(follow!, /New: +Dan +followed you/)
  assert.match(reply!, /Dan +replied to you .*What do you mean\? +Reply/)
  assert.match(likes!, /Dan +and +3 others +liked your post .*Some bold words &lt;b&gt;/)
  assert.ok(page.includes(`href="${new URL(post.url).pathname}/likes"`))
  assert.ok(page.includes(`<a class="excerpt own" href="${new URL(post.url).pathname}"`))
  const mentions = entries(await read(mira.browser, '/notifications?show=mentions'))
  assert.deepEqual([mentions.length, mentions[0]!.includes('replied to you')], [1, true])
  await mira.send('/notifications/read', { upto: String(Number.MAX_SAFE_INTEGER).slice(0, 15) })
  assert.doesNotMatch(inWords(mainOf(await read(mira.browser))), /New:/)
})

test('the header of every page counts what is unread, up to 99, with a name for screen readers', async () => {
  const mira = await somebody()
  assert.equal(bellOf(await read(mira.browser, '/home')), 'Notifications')
  const fan = await publisher(system)
  await fan.api(`POST /api/users/${mira.handle}/follow`)
  for (const path of ['/home', '/', '/notifications', `/@${fan.handle}`, '/settings'])
    assert.equal(bellOf(await read(mira.browser, path)), 'Notifications, 1 unread', path)
  const { id } = await writePost(mira, 'popular')
  const like = (n: number) => system.sql`
    insert into publishing.notifications (user_id, actor_id, type, post_id, created_at)
    select ${mira.user.id}, ${fan.user.id}, 'like', ${id}::bigint + n, now() from generate_series(1, ${n}::int) n
    on conflict do nothing`
  await like(98)
  assert.equal(bellOf(await read(mira.browser, '/home')), 'Notifications, 99 unread')
  await like(99)
  const more = await read(mira.browser, '/home')
  assert.equal(bellOf(more), 'Notifications, more than 99 unread')
  assert.match(more, /<b>99\+<\/b>/)
  assert.equal(bellOf((await publishing('GET /')).text), undefined, 'visitors have none')
})

test('reading the page marks nothing, also in advance; the button without script marks what was there', async () => {
  const mira = await somebody()
  const fan = await publisher(system)
  await fan.api(`POST /api/users/${mira.handle}/follow`)
  await read(mira.browser)
  await mira.browser('GET /notifications', { headers: { 'sec-purpose': 'prefetch;prerender' } })
  await mira.browser('HEAD /notifications')
  assert.equal(await unreadOf(mira), 1)
  const upto = /name="upto" value="(\d+)"/.exec(await read(mira.browser))![1]!
  await (await publisher(system)).api(`POST /api/users/${mira.handle}/follow`)
  const marked = await mira.send('/notifications/read', { upto })
  assert.deepEqual([marked.status, marked.headers.get('location')], [303, '/notifications'])
  assert.equal(await unreadOf(mira), 1, 'what came later is still unread')
})

test('the form of another session, or with ids of somebody else, marks nothing', async () => {
  const [mira, eve] = [await somebody(), await somebody()]
  await eve.api(`POST /api/users/${mira.handle}/follow`)
  const shown = String((await notificationsOf(mira)).listed[0]!.id)
  assert.equal((await eve.send('/notifications/read', { shown })).status, 303)
  assert.equal((await mira.send('/notifications/read', { token: 'x', shown })).status, 403)
  assert.equal((await publishing('POST /notifications/read')).status, 401)
  assert.equal((await publishing('GET /notifications')).status, 401)
  for (const fields of [
    { shown: 'x' },
    { shown: '1,' },
    { shown: '1'.repeat(16) },
    { upto: '-1' },
    { upto: '' },
    { shown: `${'123456789012345,'.repeat(130)}1` },
  ] as Record<string, string>[])
    assert.equal((await mira.send('/notifications/read', fields)).status, 422, JSON.stringify(fields))
  for (const path of ['/notifications?page=0', '/notifications?show=x'])
    assert.equal((await mira.browser(`GET ${path}`)).status, 422, path)
  assert.equal(await unreadOf(mira), 1)
  const part = await mira.browser('POST /notifications/read', {
    raw: new URLSearchParams({ token: mira.token, shown }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-part': '.bell' },
  })
  assert.deepEqual([part.status, bellOf(part.text)], [200, 'Notifications'])
  assert.equal(await unreadOf(mira), 0)
})

test('requests to follow are answered on the page of notifications', async () => {
  const shy = await somebody()
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const [ada, ben] = [await publisher(system), await publisher(system)]
  for (const { api } of [ada, ben]) await api(`POST /api/users/${shy.handle}/follow`)
  const page = await read(shy.browser)
  assert.equal(entries(page).filter((text) => /asked to follow you .*Approve +Reject/.test(text)).length, 2)
  const next = /name="next" value="([^"]+)"/.exec(mainOf(page))![1]!
  const accepted = await shy.send(`/requests/${ada.handle}`, { action: 'accept', next })
  assert.equal(accepted.headers.get('location'), next)
  await shy.send(`/requests/${ben.handle}`, { action: 'reject', next: 'https://evil.example/' })
  assert.deepEqual(await toldTo(shy), [`follow by ${ada.handle}`])
  assert.deepEqual(await toldTo(ada), [`follow_accepted by ${shy.handle}`])
  assert.match(entries(await read(shy.browser))[0]!, /followed you/)
  const adas = await browserOf(publishing, ada.email)
  assert.match(entries(await read(adas.browser))[0]!, /approved your request to follow them/)
})

test('without notifications the page says what will appear', async () => {
  const { browser } = await somebody()
  assert.match(mainOf(await read(browser)), /class="empty".*new followers show up here/s)
  assert.match(mainOf(await read(browser, '/notifications?show=mentions')), /class="empty"/)
  assert.doesNotMatch(await read(browser), /Mark all as read/)
})

test('more notifications than fit on a page are on the next one', async () => {
  const mira = await somebody()
  const fan = await publisher(system)
  const first = await writePost(mira, 'one')
  await system.sql`
    insert into publishing.notifications (user_id, actor_id, type, post_id, created_at)
    select ${mira.user.id}, ${fan.user.id}, 'mention', p.id, now() from publishing.posts p
    where p.id = ${first.id}`
  for (let n = 0; n < 50; n++) await (await publisher(system)).api(`POST /api/users/${mira.handle}/follow`)
  const page = await read(mira.browser)
  assert.match(entries(page)[0]!, /and +49 others +followed you/)
  const next = /<a rel="next" href="([^"]+)"/.exec(page)![1]!
  assert.equal(next, '/notifications?page=2')
  const second = await read(mira.browser, next)
  assert.equal(entries(second).length, 1)
  assert.match(second, /<a rel="prev" href="\/notifications"/)
})
