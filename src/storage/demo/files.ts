import { gzipSync } from 'node:zlib'
import { png, type View } from '#platform/demo-pictures.ts'
import { pdf, wav, zip } from './formats.ts'

export const bucketNames = ['website', 'photos', 'contracts', 'drawings', 'reports', 'backups'] as const
type Author = 'ada' | 'ben' | 'cleo'

type DemoFile = {
  bucket: (typeof bucketNames)[number]
  key: string
  type: string
  content: string | Buffer
  by: Author
  /** Days before now. */
  ago: number
  metadata?: Record<string, string>
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Harbour Studio">
  <path d="M4 44h56l-8 12H12z" fill="#1f4e5f"/><path d="M32 6v32H14z" fill="#e07a5f"/><path d="M35 14v24h14z" fill="#f2cc8f"/>
</svg>
`

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<link rel="stylesheet" href="assets/style.css">
<img src="assets/logo.svg" width="64" alt=""><h1>${title}</h1>
${body}</html>
`

const letter = (version: string, price: string) => `# Offer to Tern & Sons (${version})

One clinker-built dinghy, larch on oak, with sails and oars.
Price: ${price}. Delivery: twelve weeks after the order.
`

const hull = (
  length: number,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 160" fill="none" stroke="#1f4e5f">
${Array.from({ length: 7 }, (_, n) => `  <path d="M${20 + 3 * n} ${40 + 9 * n} Q ${length / 2} ${120 + 5 * n} ${length - 4 * n} ${36 + 9 * n}"/>`).join('\n')}
  <text x="20" y="24" fill="#1f4e5f" stroke="none" font-family="sans-serif" font-size="12">Dinghy ${length / 100} m, lines</text>
</svg>
`

const views: Record<string, View> = {
  dawn: { top: [64, 84, 140], horizon: [250, 190, 150], sun: [255, 236, 190], hills: [[120, 110, 150], [84, 84, 120], [44, 52, 80]] },
  noon: { top: [70, 140, 210], horizon: [205, 232, 246], sun: [255, 250, 220], hills: [[120, 170, 140], [84, 140, 100], [46, 96, 70]] },
  dusk: { top: [70, 44, 96], horizon: [236, 120, 90], sun: [255, 196, 110], hills: [[130, 70, 100], [86, 46, 80], [44, 26, 56]] },
  fog: { top: [170, 180, 186], horizon: [226, 230, 230], sun: [240, 240, 236], hills: [[180, 190, 192], [144, 158, 162], [104, 122, 128]] },
} // biome-ignore format: a table

const photos = () =>
  Object.entries(views).flatMap(([name, view], n) =>
    [1, 2].map(
      (take): DemoFile => ({
        bucket: 'photos',
        key: `2026/${name}/harbour-${take}.png`,
        type: 'image/png',
        content: png(view, n + 1.7 * take),
        by: 'cleo',
        ago: 22 - 2.5 * n - take / 24,
        metadata: { camera: 'harbour-cam', light: name },
      }),
    ),
  )

const hours = (day: number) =>
  ['date,boat,person,hours', ...['Ada', 'Ben', 'Cleo'].map((name, n) => `2026-10-${String(day).padStart(2, '0')},Tern 7,${name},${6 + ((day + n) % 3)}`)].join('\n') // biome-ignore format: one line per day

const timesheet = (lastDay: number) =>
  `${Array.from({ length: lastDay }, (_, n) => hours(n + 1))
    .join('\n')
    .replaceAll(/\ndate,.*$/gm, '')}\n`

const ordersOf = (day: number) =>
  JSON.stringify({
    exported: `2026-11-0${day}`,
    orders: Array.from({ length: 400 * day }, (_, n) => ({
      order: n + 1,
      total: (n * 37) % 900,
      boat: `Tern ${n % 12}`,
    })),
  })

const contract = (year: number) =>
  pdf([
    `Contract ${year}/07`,
    '',
    'Harbour Studio builds one dinghy for Tern & Sons.',
    'Larch on oak, with sails and oars.',
    '',
    'Signed: Ada Marlow',
  ])

/** In the order of upload; a key that occurs twice has an earlier version. Pictures are drawn only when they are needed. */
export const makeFiles = (): DemoFile[] =>
  [
    { bucket: 'website', key: 'index.html', type: 'text/html; charset=utf-8', content: page('Harbour Studio', '<p>We build boats.</p>'), by: 'ben', ago: 25 },
    { bucket: 'website', key: 'index.html', type: 'text/html; charset=utf-8', content: page('Harbour Studio', '<p>We build boats, and the drawings for them.</p><p><a href="boats.html">Our boats</a></p>'), by: 'ben', ago: 9 },
    { bucket: 'website', key: 'boats.html', type: 'text/html; charset=utf-8', content: page('Our boats', '<p>Dinghies of 3.2 and 4.1 metres.</p>'), by: 'ben', ago: 9 },
    { bucket: 'website', key: 'assets/logo.svg', type: 'image/svg+xml', content: logo, by: 'ben', ago: 25 },
    { bucket: 'website', key: 'assets/style.css', type: 'text/css', content: 'body { font: 1.1rem/1.5 Georgia, serif; margin: 3rem auto; max-width: 40rem }\n', by: 'ben', ago: 25 },
    { bucket: 'website', key: 'assets/menu.js', type: 'text/javascript', content: "document.querySelector('nav')?.addEventListener('click', () => {})\n", by: 'ben', ago: 24 },
    { bucket: 'website', key: 'assets/hero.png', type: 'image/png', content: png(views.dawn!, 3), by: 'cleo', ago: 20 },
    { bucket: 'website', key: 'assets/bell.wav', type: 'audio/wav', content: wav(2, 660), by: 'cleo', ago: 19 },
    ...photos(),
    { bucket: 'contracts', key: '2025/obsolete-offer.md', type: 'text/markdown', content: letter('withdrawn', '7,200'), by: 'ada', ago: 24 },
    { bucket: 'contracts', key: '2026/tern-and-sons.md', type: 'text/markdown', content: letter('draft', '8,900'), by: 'ada', ago: 21 },
    { bucket: 'contracts', key: '2026/tern-and-sons.md', type: 'text/markdown', content: letter('second draft', '8,750'), by: 'ben', ago: 17 },
    { bucket: 'contracts', key: '2026/tern-and-sons.md', type: 'text/markdown', content: letter('final', '8,650'), by: 'ada', ago: 12, metadata: { author: 'Ada Marlow', signed: 'yes' } },
    { bucket: 'contracts', key: '2026/tern-and-sons.pdf', type: 'application/pdf', content: contract(2026), by: 'ada', ago: 12, metadata: { signed: 'yes' } },
    { bucket: 'contracts', key: '2025/heron.pdf', type: 'application/pdf', content: contract(2025), by: 'ada', ago: 23 },
    { bucket: 'drawings', key: 'dinghy-320/lines.svg', type: 'image/svg+xml', content: hull(320), by: 'cleo', ago: 18 },
    { bucket: 'drawings', key: 'dinghy-410/lines.svg', type: 'image/svg+xml', content: hull(410), by: 'cleo', ago: 15 },
    { bucket: 'drawings', key: 'dinghy-410/lines.zip', type: 'application/zip', content: zip({ 'lines.svg': Buffer.from(hull(410)), 'read-me.txt': Buffer.from('All measures in millimetres.\n') }), by: 'cleo', ago: 15 },
    { bucket: 'drawings', key: 'old/sketch.svg', type: 'image/svg+xml', content: hull(280), by: 'cleo', ago: 16 },
    { bucket: 'reports', key: 'hours/2026-10.csv', type: 'text/csv', content: timesheet(14), by: 'ben', ago: 17 },
    { bucket: 'reports', key: 'hours/2026-10.csv', type: 'text/csv', content: timesheet(31), by: 'ben', ago: 4 },
    { bucket: 'reports', key: 'notes/2026-11-workshop.md', type: 'text/markdown', content: '# Workshop\n\n- Order larch before Friday\n- The steam box leaks again\n', by: 'ben', ago: 3 },
    { bucket: 'reports', key: 'calendar/launches.ics', type: 'text/calendar', content: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Harbour Studio//EN\r\nBEGIN:VEVENT\r\nUID:launch-7@harbour.example\r\nDTSTAMP:20261101T090000Z\r\nDTSTART:20270405T100000Z\r\nSUMMARY:Launch of Tern 7\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n', by: 'ada', ago: 2 },
    ...[1, 2, 3].map((day): DemoFile => ({ bucket: 'backups', key: `orders/2026-11-0${day}.json.gz`, type: 'application/gzip', content: gzipSync(ordersOf(day)), by: 'ada', ago: 6 - day })),
    { bucket: 'backups', key: 'orders/latest.json', type: 'application/json', content: ordersOf(3), by: 'ada', ago: 2.9 },
  ].toSorted((a, b) => b.ago - a.ago) as DemoFile[] // biome-ignore format: a table

/** Deleted some days ago, so that they can be recovered. */
export const deleted = [
  { bucket: 'contracts', key: '2025/obsolete-offer.md', by: 'ada', ago: 11 },
  { bucket: 'drawings', key: 'old/sketch.svg', by: 'ben', ago: 5 },
] as const

/** Shared with people outside, by links that expire. */
export const shared = [
  { bucket: 'contracts', key: '2026/tern-and-sons.pdf', by: 'ada' },
  { bucket: 'photos', key: '2026/dusk/harbour-1.png', by: 'cleo' },
] as const
