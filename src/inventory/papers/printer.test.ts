import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/support/eventually.ts'
import { createPrinter } from './printer.ts'

const job = (copies: number) => ({
  label: { title: 'Cup', lines: ['SKU-1'], code: { symbology: 'code128' as const, text: 'SKU-1' } },
  query: { size: '62x29' as const, copies },
})
const isPdf = (pdf: Buffer) => assert.match(pdf.toString('latin1'), /^%PDF-[\s\S]*%%EOF\s*$/)

test('a printer that dies while it draws is replaced for whoever comes next', async (t) => {
  const printer = createPrinter()
  t.after(printer.close)
  const lost = assert.rejects(printer.print('a', job(100)), { status: 503 })
  const next = printer.print('b', job(1))
  await until('it draws', () => printer.thread !== undefined)
  await printer.thread?.terminate()
  await lost
  isPdf(await next)
})

test('a paper that takes too long is given up, and its thread with it', async (t) => {
  const printer = createPrinter({ longestMs: 1 })
  t.after(printer.close)
  await assert.rejects(printer.print('a', job(100)), { status: 503 })
  assert.equal(printer.thread, undefined)
})

test('the thread ends when nobody has printed for a while', async (t) => {
  const printer = createPrinter({ idleMs: 1 })
  t.after(printer.close)
  isPdf(await printer.print('a', job(1)))
  await until('it has ended', () => printer.thread === undefined)
  isPdf(await printer.print('a', job(1)))
})

test('one person prints two at once, and all together twenty', async (t) => {
  const printer = createPrinter()
  t.after(printer.close)
  const prints = [printer.print('a', job(1)), printer.print('a', job(1))]
  await assert.rejects(printer.print('a', job(1)), { status: 429, headers: { 'retry-after': '1' } })
  for (let n = 0; n < 18; n++) prints.push(printer.print(String(n), job(1)))
  await assert.rejects(printer.print('late', job(1)), { status: 503 })
  for (const pdf of await Promise.all(prints)) isPdf(pdf)
  isPdf(await printer.print('a', job(1)))
})
