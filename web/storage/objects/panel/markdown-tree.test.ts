import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from './markdown-tree.ts'

test('Markdown becomes a tree of elements, with headings below those of the panel', () => {
  assert.deepEqual(parseMarkdown('# A *b*'), [
    { tag: 'h4', children: ['A ', { tag: 'em', children: ['b'] }] },
  ])
  assert.deepEqual(parseMarkdown('- a\n- b'), [
    {
      tag: 'ul',
      children: [
        { tag: 'li', children: ['a'] },
        { tag: 'li', children: ['b'] },
      ],
    },
  ])
  assert.deepEqual(parseMarkdown('```js\nx < y\n```'), [
    { tag: 'pre', children: [{ tag: 'code', children: ['x < y\n'] }] },
  ])
})

test('HTML stays text, images are their descriptions, and links lead to the web only', () => {
  const text = JSON.stringify(
    parseMarkdown('<img src=x onerror=alert(1)> ![a cat](https://evil.example/cat.png)'),
  )
  assert.ok(text.includes('<img src=x onerror=alert(1)>'))
  assert.ok(!text.includes('evil.example'))
  assert.ok(
    !JSON.stringify(parseMarkdown('[x](javascript:alert(1)) [y](data:text/html,x)')).includes('"href"'),
  )
  assert.ok(
    JSON.stringify(parseMarkdown('[x](https://example.com)')).includes('"href":"https://example.com"'),
  )
})
