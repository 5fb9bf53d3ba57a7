import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseContent } from './text.ts'

const known = new Map([['mira_acme', 'Mira_Acme']])

const read = (text: string) => {
  const { hashtags, named, render } = parseContent(text)
  return { hashtags, named, html: render(known) }
}

test('plain text is read as Markdown would read it', () => {
  const word = fc.constantFrom(
    '#', '@', '#Tag', '#été', '#5', '#e\u0301', '#𝒳', '@miraX', '@Mira', '@mi', 'a', 'ß', '日本', '😀', '&', '&amp;', '"', '>', '/', ':',
    '!', ']', '(', ')', '{', '}', '^', '$', '%', '+', '-', '=', '|', '.', ',', "'", ' ', '  ', '\t', '\u00a0', '\u200d', '\ufffd', '//',
  ) // biome-ignore format: one list
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
      const text = words.join('').trim()
      const markdown = read(`${text}\n*`)
      assert.deepEqual(read(text), { ...markdown, html: markdown.html.replace(/<br>\n\*$/, '') })
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
