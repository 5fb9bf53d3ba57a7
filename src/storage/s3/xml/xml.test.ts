import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { childrenOf, readXml, requiredText, textOf } from './read.ts'
import { xmlDocument } from './write.ts'

test('what is written is read back unchanged, whatever characters it has', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((some) => !/[\p{Cc}\uFFFE\uFFFF]/u.test(some))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (keys) => {
      const root = readXml(xmlDocument('Delete', { Key: keys, Quiet: true }), 'Delete')
      assert.deepEqual(
        childrenOf(root, 'Key').map((key) => key.text),
        keys,
      )
      assert.equal(requiredText(root, 'Quiet'), 'true')
    }),
  )
  const spaces = ' \t\r\n]]>&amp;<a b="c">'
  assert.equal(textOf(readXml(xmlDocument('A', { B: spaces }), 'A'), 'B'), spaces)
})

test('a namespace, a prefix and comments do not matter', () => {
  const root = readXml('<?xml version="1.0"?><s:A xmlns:s="x"><!-- c --><s:B>1</s:B></s:A>', 'A')
  assert.equal(textOf(root, 'B'), '1')
  assert.equal(textOf(root, 'C'), undefined)
})

test('hostile and malformed documents are refused as MalformedXML', () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><Delete><Object><Key>&b;</Key></Object></Delete>'
  const hostile = [
    '',
    'text',
    '{}',
    '<Delete>',
    '<Delete></Other>',
    '<Other/>',
    '<Delete/><Delete/>',
    '<Delete>&unknown;</Delete>',
    '<Delete>&#0;</Delete>',
    '<!DOCTYPE Delete SYSTEM "file:///etc/passwd"><Delete/>',
    bomb,
    `${'<Delete>'.repeat(5000)}`,
    '\u0000<Delete/>',
  ]
  for (const text of hostile)
    assert.throws(() => readXml(text, 'Delete'), { code: 'MalformedXML' }, text.slice(0, 40))
  const twice = readXml('<A><B>1</B><B>2</B></A>', 'A')
  assert.throws(() => textOf(twice, 'B'), { code: 'MalformedXML' })
  assert.throws(() => requiredText(twice, 'C'), { code: 'MalformedXML' })
})
