import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseContent } from './text.ts'

const known = new Map([['mira_acme', 'Mira_Acme']])

const read = (text: string) => {
  const { hashtags, named, render } = parseContent(text)
  return { hashtags, named, html: render(known) }
}

test('hashtags and mentions are found in plain text, and nothing in it is markup', () => {
  for (const [text, hashtags, html] of [
    ['a & b < "c"', [], 'a &amp; b &lt; &quot;c&quot;'],
    ['#Tag', ['tag'], '<a href="/tags/tag" rel="tag">#Tag</a>'],
    ['#e\u0301t\u00e9', ['été'], '<a href="/tags/%C3%A9t%C3%A9" rel="tag">#e\u0301t\u00e9</a>'],
    ['#5 a#b &#c /#d ##e', [], '#5 a#b &amp;#c /#d ##e'],
    ['(#𝒳)!', ['𝒳'], '(<a href="/tags/%F0%9D%92%B3" rel="tag">#𝒳</a>)!'],
    ['@MIRA_acme, a@mira_acme @mi @mira_acme@b', [], '<a href="/@Mira_Acme">@MIRA_acme</a>, a@mira_acme @mi @mira_acme@b'],
    ['#a @nobody', ['a'], '<a href="/tags/a" rel="tag">#a</a> @nobody'],
  ] as const) // biome-ignore format: one line for each text
    assert.deepEqual({ hashtags: read(text).hashtags, html: read(text).html }, { hashtags, html }, text)
})

test('however its marks follow one another, text is read to its end', () => {
  const word = fc.constantFrom('#', '@', '#Tag', '#été', '@miraX', '@mira_acme', 'a', '&', '<', '"', '://', '*', '_', '`', '[', '](', ')', '\\', ' ', '\n', '\u200d', '😀') // biome-ignore format: one list
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
      const { hashtags, named, html } = read(words.join('').trim())
      assert.ok(hashtags.every((tag) => html.includes(`/tags/${encodeURIComponent(tag)}"`)))
      assert.equal(html.includes('<a href="/@Mira_Acme">'), named.includes('mira_acme'))
      assert.doesNotMatch(html.replace(/<\/?(?:a|em|strong|s|code|br)(?: [^<>]*)?>/g, ''), /[<>]/)
    }),
    { numRuns: 2_000 },
  )
})

test('text with marks of Markdown, addresses or several lines is Markdown', () => {
  for (const [text, html] of [
    ['a *b*', 'a <em>b</em>'],
    ['a _b_', 'a <em>b</em>'],
    ['~~a~~', '<s>a</s>'],
    ['`#a`', '<code>#a</code>'],
    ['a\nb', 'a<br>\nb'],
    ['\\#a', '#a'],
    ['hi @mira_acme', 'hi <a href="/@Mira_Acme">@mira_acme</a>'],
  ] as const)
    assert.equal(read(text).html, html, text)
  for (const address of ['https://example.com/#a', '<https://example.com/#a>', '[b](https://example.com/#a)'])
    assert.match(read(address).html, /^<a href="https:\/\/example\.com\/#a" rel="[^"]+">[^<]+<\/a>$/, address)
})
