import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGs1 } from './gs1.ts'

const gtin = '04006381333931'
const gs = '\u001D'
const parse = (text: string) => parseGs1(text, 2026)

test('a code with parentheses is split into product, batch, expiry and serial', () => {
  assert.deepEqual(parse(`(01)${gtin}`), { gtin })
  assert.deepEqual(parse(`(01)${gtin}(17)270331(10)OIL-7(21)A/1`), {
    gtin,
    expiry: '2027-03-31',
    batch: 'OIL-7',
    serial: 'A/1',
  })
  assert.deepEqual(parse(`(10)B(1)C(01)${gtin}`), { batch: 'B(1)C', gtin }, 'a value may have parentheses')
  assert.deepEqual(parse('(21)S1'), { serial: 'S1' })
})

test('FNC1 is understood with every symbology identifier of GS1, and without one if a GTIN comes first', () => {
  for (const start of [']C1', ']d2', ']Q3', ']e0', gs, ']d2\u001D', ''])
    assert.deepEqual(
      parse(`${start}01${gtin}10OIL-7${gs}17270331${gs}21S1`),
      { gtin, batch: 'OIL-7', expiry: '2027-03-31', serial: 'S1' },
      JSON.stringify(start),
    )
  assert.deepEqual(parse(`]C110OIL-7${gs}01${gtin}`), { batch: 'OIL-7', gtin })
  assert.deepEqual(parse(`]C101${gtin}1727033110OIL-7`), { gtin, expiry: '2027-03-31', batch: 'OIL-7' })
})

test('other parts of a code are skipped by their lengths', () => {
  assert.deepEqual(parse(`]C101${gtin}310300125015261231422276${gs}10B1`), { gtin, batch: 'B1' })
  assert.deepEqual(parse(`]C100123456789012345675${gs}37100${gs}10B1`), { batch: 'B1' })
  assert.deepEqual(parse(`]C1430010${gs}37021${gs}21S`), { serial: 'S' })
  assert.deepEqual(parse(`]d201${gtin}240ABC${gs}8005001234${gs}21S`), { gtin, serial: 'S' })
})

test('a GS1 Digital Link is understood from any domain, with everything that may be around it', () => {
  const whole = { gtin, batch: 'OIL-7', serial: 'S/1', expiry: '2027-03-31' }
  assert.deepEqual(parse(`https://id.gs1.org/01/${gtin}/10/OIL-7/21/S%2F1?17=270331`), whole)
  assert.deepEqual(
    parse(`http://shop.example/some/path/01/${gtin}/10/OIL-7/21/S%2F1?17=270331&lang=de#x`),
    whole,
  )
  assert.deepEqual(parse('https://example.com/01/4006381333931'), { gtin }, 'zeros may be left out')
  assert.deepEqual(parse(`]Q1https://example.com/01/${gtin}`), { gtin })
  for (const other of [
    'https://example.com/',
    'https://example.com/01/abc',
    'ftp://example.com/01/04006381333931',
  ])
    assert.equal(parse(other), undefined, other)
})

test('an expiry is a day near this year, and day 00 the last of its month', () => {
  const expiry = (text: string, year = 2026) => parseGs1(`(17)${text}`, year)?.expiry
  assert.equal(expiry('270200'), '2027-02-28')
  assert.equal(expiry('280200'), '2028-02-29')
  assert.equal(expiry('760101'), '2076-01-01')
  assert.equal(expiry('770101'), '1977-01-01')
  assert.equal(expiry('010101', 2060), '2101-01-01')
  assert.equal(expiry('111231', 2060), '2011-12-31')
  for (const wrong of ['270230', '271301', '270001', '27033', '2703311', 'abcdef'])
    assert.equal(expiry(wrong), undefined, wrong)
})

test('whatever is not a GS1 code, or is misread, is nothing', () => {
  for (const text of [
    '',
    'MUG-BLUE-350',
    '4006381333931',
    '5012345678900',
    '0104006381333932',
    '(01)04006381333932',
    '(01)040063',
    '(99999)x',
    '()',
    ']C1',
    ']C101040063813339',
    `]C101${gtin}10`,
    `]C101${gtin}17${gs}270331`,
    `(01)${gtin}(10)${'x'.repeat(21)}`,
    `(01)${gtin}(10)ümlaut`,
    `(01)${gtin}(01)00012345678905`,
    ']E04006381333931',
    '1234567890',
    '10OIL-7',
  ])
    assert.equal(parse(text), undefined, JSON.stringify(text))
  assert.equal(parse('('.repeat(100_000)), undefined)
  assert.equal(parse('(01)'.repeat(20_000)), undefined)
})
