import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guideCsp, renderGuide } from './guide-page.ts'
import { guidesFor } from './guides.ts'

const guides = guidesFor('inventory')
const pages = new Map(
  guides.map((guide) => [guide.name, renderGuide(guide, { service: 'inventory', guides })]),
)

test('the guides of a service come first, then those about all services', () => {
  const names = guides.map(({ name }) => name)
  assert.deepEqual(names.slice(0, 6), [
    'inventory-console',
    'inventory-counting',
    'inventory-purchasing-and-reports',
    'inventory-stock-and-orders',
    'events',
    'operating',
  ])
  assert.ok(names.includes('storage-objects'))
})

test('every link of a guide leads to a guide, a heading of it, the reference, or a site', () => {
  for (const [name, page] of pages)
    for (const [, href = ''] of page.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^https?:|^\.\.\/\.\.\/docs$/.test(href)) continue
      const [target, heading] = href.split('#')
      const there = target ? pages.get(target) : page
      assert.ok(there, `${name}: ${href}`)
      if (heading) assert.ok(there.includes(`id="${heading}"`), `${name}: ${href}`)
    }
})

test('a guide loads nothing, and every block of code can be copied', () => {
  for (const page of pages.values()) {
    assert.doesNotMatch(page, /<(?:img|link rel="stylesheet"|script src)/)
    const blocks = page.match(/<pre/g)?.length ?? 0
    assert.equal(page.match(/<figure class="panel" data-copy/g)?.length ?? 0, blocks)
  }
  assert.match(guideCsp(), /^default-src 'none'/)
})
