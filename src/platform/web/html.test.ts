import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, joinHtml, raw } from '#platform/web/html.ts'

const text = (value: unknown) => String(value)

test('html escapes interpolated text, in content and in attributes', () => {
  const hostile = `<script>alert("1" & '2')</script>`
  const escaped = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;'
  assert.equal(text(html`<p title="${hostile}">${hostile}</p>`), `<p title="${escaped}">${escaped}</p>`)
})

test('html keeps nested HTML and escapes it only once', () => {
  assert.equal(text(html`<ul>${html`<li>${'a & b'}</li>`}</ul>`), '<ul><li>a &amp; b</li></ul>')
})

test('html joins arrays and escapes each element that is not HTML', () => {
  assert.equal(text(html`${['<', html`<br>`, [1, null, '>']]}`), '&lt;<br>1&gt;')
})

test('html omits null, undefined and false, and keeps zero and the empty string', () => {
  assert.equal(text(html`[${null}${undefined}${false}]`), '[]')
  assert.equal(text(html`[${0}${''}]`), '[0]')
})

test('raw returns trusted text unescaped', () => {
  assert.equal(text(html`${raw('<hr>')}`), '<hr>')
})

test('joinHtml escapes its parts and its separator', () => {
  assert.equal(text(joinHtml(['<a>', html`<b>x</b>`], ' & ')), '&lt;a&gt; &amp; <b>x</b>')
})

test('html refuses an object that only looks like HTML', () => {
  const forged = JSON.parse('{"html":"<script>","toString":"<script>"}')
  assert.throws(() => html`${forged}`)
})
