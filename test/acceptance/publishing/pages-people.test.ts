import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf, form } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_people', username: 'Mira' })
const jonas = await publisher(system, { handle: 'jonas_people', username: 'Jonas' })
const miras = await browserOf(publishing, mira.email)
const jonass = await browserOf(publishing, jonas.email)

const read = async (path: string, api: Client = publishing) => {
  const { status, headers, text } = await api(`GET ${path}`)
  assert.equal(status, 200, `${path}: ${text}`)
  assert.match(headers.get('content-type')!, /^text\/html/)
  return text.slice(text.indexOf('<main'), text.indexOf('</main>'))
}
const write = (content: string, more: object = {}, by = mira) => writePost(by, content, more)
const pathOf = ({ url }: { url: string }) => new URL(url).pathname

test('the profile page links to the lists of followers and followed accounts', async () => {
  const star = await publisher(system)
  for (let n = 0; n < 22; n++)
    await (await publisher(system, { username: `Fan <${n}>` })).api(`POST /api/users/${star.handle}/follow`)
  await star.api('POST /api/users/jonas_people/follow')
  const profile = await read(`/@${star.handle}`)
  assert.ok(profile.includes(`href="/@${star.handle}/followers"`))
  assert.ok(profile.includes(`href="/@${star.handle}/following"`))
  const first = await read(`/@${star.handle}/followers`)
  assert.equal(first.split('<li').length - 1, 20)
  const next = /<a rel="next" href="([^"]+)"/.exec(first)![1]!
  const second = await read(next)
  assert.equal(second.split('<li').length - 1, 2)
  assert.ok(second.includes('Fan &lt;0&gt;'))
  assert.ok((await read(`/@${star.handle}/following`)).includes('@jonas_people'))
  assert.match(await read('/@mira_people/following'), /class="empty"/)
  assert.equal((await publishing('GET /@nobody_people/followers')).status, 404)
  assert.equal((await publishing(`GET /@${star.handle}/followers?page=0`)).status, 422)
})

test('follow requests of a protected account are accepted or rejected one by one on their page', async () => {
  const shy = await publisher(system)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const own = await browserOf(publishing, shy.email)
  assert.match(await read('/requests', own.browser), /class="empty"/)
  await write('whispered', {}, shy)
  assert.equal((await miras.send(`/@${shy.handle}`, { action: 'follow' })).status, 303)
  assert.match(await read(`/@${shy.handle}`, miras.browser), /Cancel request/)
  await jonass.send(`/@${shy.handle}`, { action: 'follow' })
  assert.match(await read(`/@${shy.handle}`, own.browser), /href="\/requests"[^<]*>2 follow requests/)
  const waiting = await read('/requests', own.browser)
  assert.ok(waiting.includes('@mira_people') && waiting.includes('@jonas_people'))
  const accepted = await own.send('/requests/mira_people', { action: 'accept' })
  assert.equal(accepted.headers.get('location'), '/requests')
  assert.match(await read(`/@${shy.handle}`, miras.browser), /whispered/)
  assert.equal((await own.send('/requests/jonas_people', { action: 'reject' })).status, 303)
  assert.match(await read('/requests', own.browser), /class="empty"/)
  assert.doesNotMatch(await read(`/@${shy.handle}`, jonass.browser), /whispered/)
  assert.equal((await own.send('/requests/jonas_people', { action: 'accept' })).status, 404)
  assert.equal((await own.send('/requests/nobody_people', { action: 'accept' })).status, 404)
  assert.equal((await own.send('/requests/mira_people', { action: 'x' })).status, 422)
  assert.equal((await publishing('GET /requests')).status, 401)
})

test('the block button ends follows both ways, and the same page undoes it', async () => {
  await mira.api('POST /api/users/jonas_people/follow')
  await jonas.api('POST /api/users/mira_people/follow')
  const blocked = await miras.send('/@jonas_people', { action: 'block' })
  assert.equal(blocked.headers.get('location'), '/@jonas_people')
  const profile = await read('/@jonas_people', miras.browser)
  assert.match(profile, /value="unblock"/)
  assert.doesNotMatch(profile, /value="(follow|unfollow|block)"/)
  assert.equal((await jonas.api('GET /api/users/me')).body.data.follower_count, 1)
  const refused = await jonass.send('/@mira_people', { action: 'follow' })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /You cannot follow this account/)
  assert.match(await read('/blocked', miras.browser), /@jonas_people[\s\S]*value="unblock"/)
  assert.match(await read('/blocked', jonass.browser), /class="empty"/)
  const undone = await miras.send('/@jonas_people', { action: 'unblock', next: '/blocked' })
  assert.equal(undone.headers.get('location'), '/blocked')
  assert.match(await read('/@jonas_people', miras.browser), /value="follow"/)
  assert.equal((await miras.send('/@mira_people', { action: 'block' })).status, 422)
  assert.equal((await miras.send('/@nobody_people', { action: 'mute' })).status, 404)
})

test('the mute button hides an account from the home page only', async () => {
  await write('said by jonas', {}, jonas)
  await miras.send('/@jonas_people', { action: 'follow' })
  assert.match(await read('/home', miras.browser), /said by jonas/)
  assert.equal((await miras.send('/@jonas_people', { action: 'mute' })).status, 303)
  assert.doesNotMatch(await read('/home', miras.browser), /said by jonas/)
  assert.match(await read('/@jonas_people', miras.browser), /value="unmute"[\s\S]*said by jonas/)
  assert.match(await read('/muted', miras.browser), /@jonas_people[\s\S]*value="unmute"/)
  assert.equal((await miras.send('/@jonas_people', { action: 'unmute' })).status, 303)
  assert.match(await read('/home', miras.browser), /said by jonas/)
  assert.match(await read('/muted', miras.browser), /class="empty"/)
})

test('follows, blocks and mutes can be undone on their pages, also of suspended accounts', async () => {
  const admin = await publisher(system)
  await system.sql`update publishing.users set is_admin = true where id = ${admin.user.id}`
  const gone = await publisher(system, { username: 'Gone for now', handle: 'gone_people' })
  const kept = await publisher(system, { username: 'Kept', handle: 'kept_people' })
  const { api, email } = await publisher(system, { handle: 'owner_people' })
  const own = await browserOf(publishing, email)
  for (const { handle } of [gone, kept]) {
    await api(`POST /api/users/${handle}/follow`)
    await api(`POST /api/users/${handle}/mute`)
  }
  assert.equal((await admin.api('POST /api/admin/users/gone_people/suspend')).status, 200)

  const following = '/@owner_people/following'
  const undo = (text: string) => [...text.matchAll(/aria-label="(\w+ @\w+)"/g)].map(([, label]) => label)
  const mine = await read(following, own.browser)
  assert.deepEqual(undo(mine), ['Unfollow @kept_people', 'Unfollow @gone_people'])
  assert.match(mine, /href="\/@kept_people"/)
  assert.doesNotMatch(mine, /href="\/@gone_people"|Gone for now/, 'there is nothing to see of them')
  for (const stranger of [publishing, miras.browser]) {
    const theirs = await read(following, stranger)
    assert.match(theirs, /@kept_people/)
    assert.doesNotMatch(theirs, /@gone_people|Unfollow/)
  }
  assert.deepEqual(undo(await read('/muted', own.browser)), ['Unmute @kept_people', 'Unmute @gone_people'])

  const left = await own.send('/@gone_people', { action: 'unfollow', next: following })
  assert.equal(left.headers.get('location'), following)
  assert.deepEqual(undo(await read(following, own.browser)), ['Unfollow @kept_people'])
  assert.equal((await own.send('/@gone_people', { action: 'unmute', next: '/muted' })).status, 303)
  await own.send('/@gone_people', { action: 'block', next: '/blocked' })
  assert.deepEqual(undo(await read('/blocked', own.browser)), ['Unblock @gone_people'])
  await own.send('/@kept_people', { action: 'unfollow', next: following })
  assert.match(await read(following, own.browser), /class="empty"/)

  await admin.api('POST /api/admin/users/gone_people/unsuspend')
  assert.equal((await gone.api('GET /api/users/gone_people')).body.data.follower_count, 0)
})

test('a repost of a post that is no longer visible can only be deleted', async () => {
  const shy = await publisher(system)
  const original = await write('soon for few', {}, shy)
  const fan = await publisher(system)
  const own = await browserOf(publishing, fan.email)
  await own.send(`/posts/${original.id}`, { action: 'repost' })
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const list = `/@${fan.handle}`
  const mine = await read(list, own.browser)
  assert.match(mine, /The reposted post is not available/)
  assert.doesNotMatch(mine, /soon for few|value="(like|repost|unrepost)"|compose\?/)
  assert.doesNotMatch(await read(list, miras.browser), /<button name="action" value="delete"/)
  const id = /action="\/posts\/(\d+)"[\s\S]*?value="delete"/.exec(mine)![1]
  assert.equal(
    (await own.send(`/posts/${id}`, { action: 'delete', next: list })).headers.get('location'),
    list,
  )
  assert.match(await read(list, own.browser), /No posts yet/)
})

test('an edited post links to its history, for everybody who may see the post', async () => {
  const post = await write('first <words>')
  const own = pathOf(post)
  assert.doesNotMatch(await read(own), /history/)
  await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'second words' } })
  assert.ok((await read(own)).includes(`href="${own}/history"`))
  const history = await read(`${own}/history`)
  assert.ok(history.indexOf('second words') < history.indexOf('first &lt;words&gt;'))
  assert.equal((await publishing(`GET /@jonas_people/${post.id}/history`)).status, 404)
  assert.equal((await publishing('GET /@mira_people/999999999/history')).status, 404)
  assert.equal((await publishing('GET /@mira_people/x/history')).status, 404)
  const shy = await publisher(system)
  const secret = await write('not for all', {}, shy)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  assert.equal((await publishing(`GET ${pathOf(secret)}/history`)).status, 404)
})

test('pages list who liked, reposted and quoted a post', async () => {
  const post = await write('well liked')
  await jonas.api(`POST /api/posts/${post.id}/like`)
  await jonas.api(`POST /api/posts/${post.id}/repost`)
  await write('quoted for truth', { type: 'quote', quoteOfId: post.id }, jonas)
  const own = pathOf(post)
  const thread = await read(own)
  for (const [list, shown] of Object.entries({
    likes: '@jonas_people',
    reposts: '@jonas_people',
    quotes: 'quoted for truth',
  })) {
    assert.ok(thread.includes(`href="${own}/${list}"`), list)
    assert.ok((await read(`${own}/${list}`)).includes(shown), list)
    assert.equal((await publishing(`GET /@jonas_people/${post.id}/${list}`)).status, 404)
  }
})

test('explore keeps a conversation together, and offers to follow its people and counts its tags', async () => {
  const [first, second] = [await publisher(system), await publisher(system)]
  const root = await writePost(first, 'The question #together')
  const apart = await writePost(second, 'Something else #together')
  const reply = await writePost(second, 'The answer', { type: 'reply', parentId: root.id })
  const text = await read('/', miras.browser)
  const places = [root, reply, apart].map(({ id }) => text.indexOf(`id="p-${id}"`))
  assert.ok(!places.includes(-1))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    'the reply follows its post',
  )
  assert.match(text, new RegExp(`class="post h-entry continues" id="p-${reply.id}"`))
  assert.ok(text.includes(`aria-label="Follow @${first.handle}"`))
  assert.match(text, /<bdi>#together<\/bdi> <small>2<\/small>/)
  assert.doesNotMatch(await read('/'), /aria-label="Follow @/)
  await mira.api(`POST /api/users/${second.handle}/follow`)
  const beside = (await read('/', miras.browser)).split('<section class="side"')[1] ?? ''
  assert.ok(beside.includes(`Follow @${first.handle}`))
  assert.ok(!beside.includes(`@${second.handle}`), 'who is followed is not proposed')
})

test('the settings link to requests, blocks, mutes and keys, and the profile to account deletion', async () => {
  const tabs = [
    '/settings',
    '/requests',
    '/blocked',
    '/muted',
    '/keys',
    '/settings/account',
    '/settings/sessions',
  ]
  assert.ok((await read('/settings', miras.browser)).includes('href="/settings/delete"'))
  assert.equal((await publishing('GET /settings/delete')).status, 401)
  for (const path of tabs) {
    const text = await read(path, miras.browser)
    for (const other of tabs) assert.ok(text.includes(`href="${other}"`), `${path} to ${other}`)
    assert.ok(text.includes(`href="${path}" aria-current="page"`), path)
    const stranger = await publishing(`GET ${path}`)
    assert.equal(stranger.status, 401, path)
    assert.match(stranger.text, /action="\/sign-in"/)
  }
})

test('deleting an account on its page requires the password', async () => {
  const leaver = await publisher(system)
  const post = await write('soon gone', {}, leaver)
  const own = await browserOf(publishing, leaver.email)
  const wrong = await own.send('/settings/delete', { password: 'wrong' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /Invalid password/)
  assert.equal((await own.send('/settings/delete')).status, 422)
  assert.equal((await own.browser('POST /settings/delete', form({ password }))).status, 403)
  assert.equal((await publishing(`GET /@${leaver.handle}`)).status, 200)
  const gone = await own.send('/settings/delete', { password })
  assert.equal(gone.status, 200)
  assert.match(gone.headers.get('set-cookie')!, /Max-Age=0/)
  assert.doesNotMatch(gone.text, /Sign out/)
  assert.equal((await publishing(`GET /@${leaver.handle}`)).status, 404)
  assert.equal((await publishing(`GET ${pathOf(post)}`)).status, 404)
  assert.equal((await own.browser('GET /settings')).status, 401)
})

test('forms about follows and blocks are refused from other sites, without the form token, and signed out', async () => {
  for (const [path, fields] of [
    ['/@jonas_people', { action: 'block' }],
    ['/@jonas_people', { action: 'mute' }],
    ['/requests/jonas_people', { action: 'accept' }],
    ['/settings/delete', { password }],
  ] as const) {
    assert.equal((await miras.browser(`POST ${path}`, form(fields))).status, 403, path)
    const { token } = miras
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      assert.equal(
        (await miras.browser(`POST ${path}`, form({ ...fields, token }, headers as Record<string, string>)))
          .status,
        403,
        path,
      )
    const foreign = form({ ...fields, token: jonass.token })
    assert.equal((await miras.browser(`POST ${path}`, foreign)).status, 403, path)
    assert.equal((await publishing(`POST ${path}`, form({ ...fields, token }))).status, 401, path)
  }
  assert.equal((await mira.api('GET /api/users/me')).status, 200)
})

test('two simultaneous clicks on the same button have the effect of one', async () => {
  const shy = await publisher(system)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const own = await browserOf(publishing, shy.email)
  await jonas.api(`POST /api/users/${shy.handle}/follow`)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => own.send('/requests/jonas_people', { action: 'accept' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404, 404])
  assert.equal((await publishing(`GET /api/users/${shy.handle}`)).body.data.follower_count, 1)
  const blocks = await Promise.all(
    Array.from({ length: 4 }, () => own.send('/@jonas_people', { action: 'block' })),
  )
  assert.deepEqual(
    blocks.map(({ status }) => status),
    [303, 303, 303, 303],
  )
  assert.equal((await publishing(`GET /api/users/${shy.handle}`)).body.data.follower_count, 0)
})
