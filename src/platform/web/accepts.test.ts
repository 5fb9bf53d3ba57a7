import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersHtml } from './accepts.ts'

test('only a client that names text/html, and weighs it above JSON, gets a page', () => {
  const chromium = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
  for (const accept of [chromium, 'text/html', 'application/json;q=0.5, text/html', 'Text/HTML;q=0.2'])
    assert.equal(prefersHtml({ accept }), true, accept)
  const programs = [
    '*/*',
    'application/json',
    'text/html, application/json',
    'text/html;q=0.5, */*',
    'text/html;q=0',
    'text/html;q=x',
    'application/xhtml+xml',
    '',
  ]
  for (const accept of programs) assert.equal(prefersHtml({ accept }), false, accept)
  assert.equal(prefersHtml({}), false)
})
