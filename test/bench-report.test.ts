import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartOf } from '../bench/report/chart.ts'
import { fillIn } from '../bench/report/tables.ts'

const circumstances = {
  date: '2026-02-03',
  commit: 'abc1234',
  machine: 'Some CPU, 2 cores, 8 GiB, Linux x64',
  versions: { trivet: '1.2.3', node: '26.10.0', postgresql: '18.4.0' },
}
const figures = {
  suites: [
    {
      name: 'peers',
      ...circumstances,
      results: [
        { name: 'order', limit: 'One & Co', bar: null, ratio: 200, rate: 1_600, limitRate: 8 },
        { name: 'order', limit: 'Two', bar: null, ratio: 320, rate: 1_600, limitRate: 5 },
      ],
    },
    {
      name: 'writes',
      ...circumstances,
      date: '2026-02-04',
      results: [
        {
          kind: 'cost' as const,
          name: 'PUT',
          limit: 'one order',
          bar: 1,
          ratio: 1.5,
          rate: 900,
          limitRate: 600,
        },
      ],
    },
  ],
}

const empty = `# Figures

<!-- figures: written by \`npm run bench -- … --report\` -->
of last year
<!-- end of figures -->
The end.`

test('figures replace those between the markers of the document, and nothing else', () => {
  const filled = fillIn(empty, figures)
  assert.match(filled, /^# Figures\n/)
  assert.match(filled, /\nThe end\.$/)
  assert.doesNotMatch(filled, /last year/)
  assert.match(
    filled,
    /2026-02-03, commit abc1234: Some CPU, 2 cores.*Trivet 1\.2\.3, Node 26\.10\.0, PostgreSQL 18\.4\.0/,
  )
  assert.match(filled, /### writes\n\n2026-02-04, commit abc1234: Some CPU/)
  assert.match(filled, /npm run bench -- peers writes --report/)
  assert.match(filled, /\| order \| 1,600\/s \| One & Co \| 8\/s \| 200\.00 \| {2}\|/)
  assert.equal(fillIn(filled, figures), filled, 'a second time changes nothing')
})

test('a bar that was missed is marked in the table', () => {
  assert.match(fillIn(empty, figures), /\| PUT \| 900 µs CPU .* at most 1\.00, \*\*missed\*\* \|/)
})

test('a document without markers is refused instead of overwritten', () => {
  assert.throws(() => fillIn('# Something else', figures), /markers/)
})

test('the chart has a title, says its figures in words, escapes names, and has colours for both themes', () => {
  const chart = chartOf(figures)
  assert.match(chart, /<title id="title">/)
  assert.match(chart, /<desc id="desc">order: Trivet 1,600\/s, One &amp; Co 8\/s, Two 5\/s\.<\/desc>/)
  assert.match(chart, /prefers-color-scheme: dark/)
  assert.equal(chart.match(/class="ours"/g)?.length, 1)
  assert.equal(chart.match(/class="theirs"/g)?.length, 2)
})
