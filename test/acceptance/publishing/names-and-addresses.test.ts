import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_names' })
const change = (body: object) => mira.api('PATCH /api/users/me', { body })

test('display names are stored without invisible and reordering characters', async () => {
  for (const [username, stored] of [
    ['Mira\u202eariM', 'MiraariM'],
    ['\u2066Mira\u2069\u200b', 'Mira'],
    ['a\u0007b\n c', 'a b c'],
    ['👩‍💻 Zoe\u0308', '👩‍💻 Zoe\u0308'],
  ] as const)
    assert.equal((await change({ username })).body.data.username, stored)
  for (const username of ['\u3164', '\u202e', '\u2800', ' \u200b ', '\ufffe']) {
    const { status, body } = await change({ username })
    assert.equal(status, 422)
    assert.equal(body.message, 'username must have a visible character')
  }
  const refused = await publishing('POST /api/auth/register', {
    body: {
      email: 'blank@example.com',
      password: 'a long password',
      handle: 'blank_names',
      username: '\u3164',
    },
  })
  assert.equal(refused.status, 422)
})

test('addresses in profiles are valid URIs or are refused', async () => {
  for (const field of ['website', 'avatar_url', 'banner_url']) {
    const { body } = await change({ [field]: 'https://日本.example/ü|{x}?[^]' })
    assert.equal(body.data[field], 'https://xn--wgv71a.example/%C3%BC%7C%7Bx%7D?%5B%5E%5D')
    for (const address of ['https://{x}/', 'HTTp://&#{%#B[B^', 'https://a:99999/', 'x']) {
      const refused = await change({ [field]: address })
      assert.equal(refused.status, 422, address)
      assert.match(refused.body.message, /^\w+ must be a (web address|valid uri)/)
    }
  }
  for (const format of ['rss', 'atom', 'json'])
    assert.ok(
      (await publishing(`GET /api/users/mira_names/feed.${format}`)).text.includes(
        'https://xn--wgv71a.example/%C3%BC%7C%7Bx%7D?%5B%5E%5D',
      ),
    )
})

test('what cannot be an address does not become a link in a post', async () => {
  const { content_html } = await writePost(mira, '[a](https://{x}/) <https://a:99999/> https://ok.example/|')
  assert.doesNotMatch(content_html, /href="https:\/\/(%7B|\{|a:)/)
  assert.match(content_html, /href="https:\/\/ok\.example\/%7C"/)
})

test('control characters and noncharacters reach neither pages nor feeds nor oEmbed', async () => {
  const hostile = 'a\u0007\u000b\u001b\u007f\u0085\ufdd0\ufffe\uffff\u{1fffe}\u{10ffff}b'
  await change({ bio: hostile, location: hostile })
  const post = await writePost(mira, hostile)
  const oembed = `/oembed?url=${encodeURIComponent(post.url)}`
  for (const path of [
    '/',
    '/@mira_names',
    `/@mira_names/${post.id}`,
    '/search?q=a',
    '/widget/embed/mira_names',
    ...['rss', 'atom', 'json'].map((format) => `/api/users/mira_names/feed.${format}`),
    ...['rss', 'atom', 'json'].map((format) => `/feed.${format}`),
    oembed,
    `${oembed}&format=xml`,
  ]) {
    const { status, text } = await publishing(`GET ${path}`)
    assert.equal(status, 200, path)
    assert.doesNotMatch(
      text,
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/u,
    )
    if (path.startsWith('/api') || path.startsWith('/feed')) assert.doesNotMatch(text, /\\u00(07|0b|1b|7f)/)
  }
})
