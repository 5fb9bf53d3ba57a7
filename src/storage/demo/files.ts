type DemoFile = {
  bucket: 'website' | 'contracts' | 'backups'
  key: string
  type: string
  text: string
  metadata?: Record<string, string>
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Harbour Studio">
  <path d="M4 44h56l-8 12H12z" fill="#1f4e5f"/><path d="M32 6v32H14z" fill="#e07a5f"/><path d="M35 14v24h14z" fill="#f2cc8f"/>
</svg>
`

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Harbour Studio</title>
<link rel="stylesheet" href="assets/style.css">
<img src="assets/logo.svg" width="64" alt=""><h1>Harbour Studio</h1>
<p>We build boats, and the drawings for them.</p></html>
`

const letter = (version: string, price: string) => `# Offer to Tern & Sons (${version})

One clinker-built dinghy, larch on oak, with sails and oars.
Price: ${price}. Delivery: twelve weeks after the order.
`

const ordersOf = (day: number) =>
  JSON.stringify({
    exported: `2026-03-0${day}`,
    orders: Array.from({ length: 40 * day }, (_, n) => ({ order: n + 1, total: (n * 37) % 900 })),
  })

/** In the order of upload; a key that occurs twice has an earlier version. */
export const files: DemoFile[] = [
  { bucket: 'website', key: 'index.html', type: 'text/html; charset=utf-8', text: page },
  { bucket: 'website', key: 'assets/logo.svg', type: 'image/svg+xml', text: logo },
  {
    bucket: 'website',
    key: 'assets/style.css',
    type: 'text/css',
    text: 'body { font: 1.1rem/1.5 Georgia, serif; margin: 3rem auto; max-width: 40rem }\n',
  },
  {
    bucket: 'contracts',
    key: '2026/tern-and-sons.md',
    type: 'text/markdown',
    text: letter('draft', '8,900'),
  },
  {
    bucket: 'contracts',
    key: '2026/tern-and-sons.md',
    type: 'text/markdown',
    text: letter('final', '8,650'),
    metadata: { author: 'Ada Marlow', signed: 'yes' },
  },
  {
    bucket: 'contracts',
    key: '2025/obsolete-offer.md',
    type: 'text/markdown',
    text: letter('withdrawn', '7,200'),
  },
  ...[1, 2, 3].map(
    (day): DemoFile => ({
      bucket: 'backups',
      key: `orders/2026-03-0${day}.json`,
      type: 'application/json',
      text: ordersOf(day),
    }),
  ),
]
