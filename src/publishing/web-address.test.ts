import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toWebAddress } from './web-address.ts'

test('web addresses become valid URIs, and stay as they are if they are', () => {
  for (const [text, address] of [
    ['https://example.com', 'https://example.com'],
    ['HTTP://EXAMPLE.com/a?b=c#d', 'HTTP://EXAMPLE.com/a?b=c#d'],
    ['https://a.example/ü.png', 'https://a.example/%C3%BC.png'],
    [
      'https://a.example/a|b^c{d}[e]?f={|}`#[^]',
      'https://a.example/a%7Cb%5Ec%7Bd%7D%5Be%5D?f=%7B%7C%7D%60#%5B%5E%5D',
    ],
    ['https://日本.example/', 'https://xn--wgv71a.example/'],
    ['https://a.example/100%', 'https://a.example/100%25'],
    ['https://a.example/%zz%20', 'https://a.example/%25zz%20'],
    ['https://a.example/#a#b', 'https://a.example/#a%23b'],
    ['https://[::1]:8080/x', 'https://[::1]:8080/x'],
    ['https://[::1]/a[b]', 'https://[::1]/a%5Bb%5D'],
  ] as const)
    assert.equal(toWebAddress(text), address)
})

test('what cannot be the address of anything is refused', () => {
  for (const text of [
    'https://{x}/',
    'HTTp://&#{%#B[B^',
    'https://',
    'https:///x',
    'https://a..b/',
    'https://a:99999/',
    'ftp://a.example/',
    'javascript:alert(1)//https://a.example/',
    `https://a.example/${'ü'.repeat(400)}`,
  ])
    assert.equal(toWebAddress(text), null, text)
})
