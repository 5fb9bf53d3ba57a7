import type { Result } from '../measure.ts'
import type { Figures } from './results.ts'

const width = 720
const labels = 16
const bars = { left: 150, width: 420 }
const line = 24
const barHeight = 14

const style = `
    svg { color-scheme: light dark; --surface: #ffffff; --line: #e5e4e0; --text: #1c1b19; --quiet: #605e58; --accent: #3b5bdb }
    @media (prefers-color-scheme: dark) {
      svg { --surface: #1d1d1b; --line: #33322f; --text: #eceae4; --quiet: #a3a098; --accent: #91a7ff }
    }
    text { font: 14px system-ui, sans-serif; fill: var(--text); font-variant-numeric: tabular-nums }
    .heading { font-weight: 600 }
    .quiet { fill: var(--quiet) }
    .ours { fill: var(--accent) }
    .theirs { fill: var(--quiet) }`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`

type Group = { name: string; bars: { product: string; rate: number; isOurs: boolean }[] }

const groupsOf = (results: Result[]): Group[] =>
  [...Map.groupBy(results, ({ name }) => name)].map(([name, beside]) => ({
    name,
    bars: [
      { product: 'Trivet', rate: beside[0]?.rate ?? 0, isOurs: true },
      ...beside.map(({ limit, limitRate }) => ({ product: limit, rate: limitRate, isOurs: false })),
    ],
  }))

const drawGroup = ({ name, bars: all }: Group, top: number) => {
  const longest = Math.max(...all.map(({ rate }) => rate))
  return [
    `<text class="heading" x="${labels}" y="${top + 14}">${escaped(name)}</text>`,
    ...all.flatMap(({ product, rate, isOurs }, index) => {
      const y = top + line * (index + 1)
      const length = Math.max(2, Math.round((rate / longest) * bars.width))
      return [
        `<text class="quiet" x="${labels}" y="${y + 12}">${escaped(product)}</text>`,
        `<rect class="${isOurs ? 'ours' : 'theirs'}" x="${bars.left}" y="${y}" width="${length}" height="${barHeight}" rx="3"/>`,
        `<text x="${bars.left + length + 8}" y="${y + 12}">${perSecond(rate)}</text>`,
      ]
    }),
  ]
}

const inWords = ({ name, bars: all }: Group) =>
  `${name}: ${all.map(({ product, rate }) => `${product} ${perSecond(rate)}`).join(', ')}.`

/** Bars of Trivet beside other servers, in a picture that follows the light or dark theme of its reader. */
export const chartOf = ({ suites }: Figures) => {
  const { results = [], date = '', machine = '' } = suites.find(({ name }) => name === 'peers') ?? {}
  const groups = groupsOf(results)
  let top = 48
  const drawn = groups.flatMap((group) => {
    const lines = drawGroup(group, top)
    top += line * (group.bars.length + 1) + 16
    return lines
  })
  const height = top + 24
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">`,
    '  <title id="title">Requests per second, Trivet beside other servers</title>',
    `  <desc id="desc">${escaped(groups.map(inWords).join(' '))}</desc>`,
    `  <style>${style}\n  </style>`,
    `  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="12" style="fill: var(--surface); stroke: var(--line)"/>`,
    `  <text class="heading" x="${labels}" y="30">Requests per second (each group has its own scale)</text>`,
    ...drawn.map((element) => `  ${element}`),
    `  <text class="quiet" x="${labels}" y="${height - 14}">${escaped(`${date} · ${machine}`)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}
