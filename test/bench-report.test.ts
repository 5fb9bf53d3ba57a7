import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from '../bench/measure.ts'
import { compareWith } from '../bench/report/baseline.ts'
import { chartOf } from '../bench/report/chart.ts'
import { baseline, readFigures } from '../bench/report/results.ts'
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
        { name: 'order', limit: 'One & Co', ratio: 200, rate: 1_600, limitRate: 8 },
        { name: 'order', limit: 'Two', ratio: 320, rate: 1_600, limitRate: 5 },
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
          ratio: 1.5,
          rate: 900,
          limitRate: 600,
        },
      ],
    },
  ],
}

const noBaseline = compareWith({ suites: [] })

const empty = `# Figures

<!-- figures: written by \`npm run bench -- … --report\` -->
of last year
<!-- end of figures -->
The end.`

test('figures replace those between the markers of the document, and nothing else', () => {
  const filled = fillIn(empty, figures, noBaseline)
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
  assert.equal(fillIn(filled, figures, noBaseline), filled, 'a second time changes nothing')
})

/** What is said about a result of which the baseline had this ratio. */
const verdict = (before: number, ratio: number, kind?: Result['kind']) => {
  const [result, earlier] = [ratio, before].map((of) => ({
    ...(kind ? { kind } : {}), name: 'PUT', limit: 'one order', ratio: of, rate: of, limitRate: 1,
  })) as [Result, Result] // biome-ignore format: one line
  const compare = compareWith({ suites: [{ name: 'writes', ...circumstances, results: [earlier] }] })
  assert.equal(compare('peers', result), undefined, 'another suite has another baseline')
  return compare('writes', result)?.verdict
}

test('a ratio is beside that of the baseline, and marked only if it is more than a quarter worse', () => {
  const [peers, writes] = figures.suites
  const earlier = { ...writes!, results: [{ ...writes!.results[0]!, ratio: 1 }] }
  const filled = fillIn(empty, figures, compareWith({ suites: [peers!, earlier] }))
  assert.match(filled, /\| PUT \| 900 µs CPU .* \| 1\.50 \| 1\.00, \*\*slower than the baseline\*\* \|/)
  assert.match(filled, /\| order \| 1,600\/s \| Two \| 5\/s \| 320\.00 \| 320\.00 \|/)

  assert.equal(verdict(0.4, 0.5, 'cost'), '')
  assert.equal(verdict(0.4, 0.51, 'cost'), 'slower than the baseline')
  assert.equal(verdict(0.4, 0.2, 'cost'), '', 'cheaper is not slower')
  assert.equal(verdict(0.4, 0.51, 'time'), 'slower than the baseline')
  assert.equal(verdict(0.5, 0.4), '')
  assert.equal(verdict(0.5, 0.39), 'slower than the baseline')
  assert.equal(verdict(0.5, 5), '', 'a higher rate is not slower')
})

test('memory is compared only where there is enough of it to tell', () => {
  assert.equal(verdict(0.02, 0.3, 'memory'), '')
  assert.equal(verdict(-0.65, 0.1, 'memory'), '')
  assert.equal(verdict(-0.65, 0.32, 'memory'), 'more than the baseline')
  assert.equal(verdict(0.8, 1.01, 'memory'), 'more than the baseline')
})

test('each result of the recorded baseline has a name of its own, and is not slower than itself', async () => {
  const recorded = await readFigures(baseline)
  assert.notEqual(recorded.suites.length, 0)
  const compare = compareWith(recorded)
  for (const { name, results } of recorded.suites)
    for (const result of results)
      assert.deepEqual(compare(name, result), { ratio: result.ratio, verdict: '' }, `${name}: ${result.name}`)
})

test('a document without markers is refused instead of overwritten', () => {
  assert.throws(() => fillIn('# Something else', figures, noBaseline), /markers/)
})

test('the chart has a title, says its figures in words, escapes names, and has colours for both themes', () => {
  const chart = chartOf(figures)
  assert.match(chart, /<title id="title">/)
  assert.match(chart, /<desc id="desc">order: Trivet 1,600\/s, One &amp; Co 8\/s, Two 5\/s\.<\/desc>/)
  assert.match(chart, /prefers-color-scheme: dark/)
  assert.equal(chart.match(/class="ours"/g)?.length, 1)
  assert.equal(chart.match(/class="theirs"/g)?.length, 2)
})
