import { publishing as service } from '#publishing/app.ts'
import { urlVectors, vectors } from '#test/acceptance/publishing/support/vectors.ts'
import type { Booted } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

const odd = [
  'line one\nline two\n\nline four',
  '\u3164\u2800',
  '\u202eright to left\u2066 \u200b',
  'a\u0007\u000b\u001b\u007f\u0085\ufdd0\ufffe\uffff\u{1fffe}\u{10ffff}b',
  '<![CDATA[ x ]]> &amp; &#x3C; ]]>',
  'https://日本.example/ü|{x}?[^] #日本語 #हिन्दी #عربي',
  '👩‍💻🏴󠁧󠁢󠁳󠁣󠁴󠁿 e\u0301',
]

/** The demo, and an account that is as hostile as the API allows. */
export const fill = async (system: Booted) => {
  await service.demo(service.context(system.platform))
  const mallory = await publisher(system, { handle: 'mallory', username: '<b>&amp;"\'\u202e Mallory' })
  const text = odd.join(' ')
  const change = (body: object) => mallory.api('PATCH /api/users/me', { body })
  await change({ bio: `${text} </script><script>alert(1)</script>`.slice(0, 480), location: odd[3] })
  for (const url of [...urlVectors, 'https://日本.example/ü|{x}?[^]'])
    await change({ avatar_url: url, banner_url: url, website: url })
  let last = 0
  for (const content of [...vectors.filter((_, n) => n % 6 === 0), ...odd]) {
    const { status, body } = await mallory.api('POST /api/posts', { body: { content } })
    if (status === 201) last = body.data.post.id
  }
  await mallory.api(`PATCH /api/posts/${last}`, { body: { content: `${odd[0]}, edited #tides` } })
  const quote = { content: odd[4], type: 'quote', quoteOfId: last }
  await mallory.api('POST /api/posts', { body: quote })
  return { mallory, last }
}

export const feeds = ['mira', 'mallory']
  .map((handle) => `/api/users/${handle}/feed`)
  .concat('/feed', '/api/hashtags/tides/feed', '/api/hashtags/never_used/feed', '/api/search/feed')

/** A feed in a format, whole and by page. */
export const addressesOf = (path: string, format: string) =>
  path.includes('search')
    ? [`${path}.${format}?q=a`, `${path}.${format}?q=${encodeURIComponent('<b>')}&count=2`]
    : [`${path}.${format}`, `${path}.${format}?count=2`]
