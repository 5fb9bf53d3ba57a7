import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCsv, parseCsv } from './csv.ts'

test('quotes, line breaks and blank lines are read, with the line of each record', () => {
  const text = '\uFEFFsku,name\r\nA,"a ""big"" one"\r\n\r\nB,"two\nlines"\nC,last'
  assert.deepEqual(parseCsv(text), [
    { cells: ['sku', 'name'], line: 1 },
    { cells: ['A', 'a "big" one'], line: 2 },
    { cells: ['B', 'two\nlines'], line: 4 },
    { cells: ['C', 'last'], line: 6 },
  ])
})

test('semicolons and tabs separate where the first line says so', () => {
  assert.deepEqual(parseCsv('sku;price\nA;1,50')[1]?.cells, ['A', '1,50'])
  assert.deepEqual(parseCsv('sku\tname\nA\tx')[1]?.cells, ['A', 'x'])
})

test('what is written is read again, and its lines are known', () => {
  const rows = [
    ['sku', 'name'],
    ['A', 'two\nlines'],
    ['B', 'a "quote", and a comma'],
  ]
  const { text, lines } = formatCsv(rows)
  assert.deepEqual(lines, [1, 2, 4])
  assert.deepEqual(
    parseCsv(text).map(({ cells }) => cells),
    rows,
  )
})

test('an empty file has no records', () => assert.deepEqual(parseCsv('\n\n'), []))
