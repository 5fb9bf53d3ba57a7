import type { ServiceName } from '#platform/http/service.ts'

/** Light and dark accent of each service: all that tells the three apart. */
export const accents = {
  storage: ['#3b5bdb', '#91a7ff'],
  publishing: ['#c2410c', '#fdba74'],
  inventory: ['#0f766e', '#5eead4'],
} as const satisfies Record<ServiceName, readonly [light: string, dark: string]>

const accentRules = Object.entries(accents)
  .map(
    ([service, [light, dark]]) =>
      `:root[data-service=${service}] { --accent: light-dark(${light}, ${dark}) }`,
  )
  .join('\n')

/**
 * Tokens and base elements of every page. `<html data-service>` picks the accent, `<html data-theme="light|dark">`
 * overrides what the system prefers. Colours on tinted ground are mixed with the text colour to keep 4.5:1.
 */
export const baseCss = `
:root {
  color-scheme: light dark;
  --background: light-dark(#fbfbfa, #141413);
  --surface: light-dark(#ffffff, #1d1d1b);
  --line: light-dark(#e5e4e0, #33322f);
  --text: light-dark(#1c1b19, #eceae4);
  --quiet: light-dark(#605e58, #a3a098);
  --good: light-dark(#2b8a3e, #69db7c);
  --warn: light-dark(#b35c00, #ffc078);
  --bad: light-dark(#c92a2a, #ff8787);
  --sans: system-ui, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --size-1: 0.8rem; --size-2: 0.9rem; --size-3: 1rem; --size-4: 1.25rem; --size-5: 1.6rem;
  --radius: 8px; --radius-card: 12px;
  --reading: 40rem; --wide: 72rem;
  --control: 36px;
}
${accentRules}
:root[data-theme=light] { color-scheme: light }
:root[data-theme=dark] { color-scheme: dark }
@media (pointer: coarse), (max-width: 639px) { :root { --control: 44px } }

*, ::before, ::after { box-sizing: border-box }
[hidden] { display: none !important }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--background); color: var(--text); font: 1rem/1.5 var(--sans) }
h1, h2, h3, h4, h5 { margin: 0; line-height: 1.25; font-weight: 600; text-wrap: balance }
h1 { font-size: var(--size-5) }
h2 { font-size: var(--size-4) }
h3, h4, h5 { font-size: var(--size-3) }
p, ul, ol, dl, pre, table { margin: 0 }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
code, pre, kbd, var { font-family: var(--mono); font-size: 0.9em; font-style: normal }
pre { overflow-x: auto; tab-size: 2 }
pre code { font-size: inherit }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: 8px 12px 8px 0; text-align: start; vertical-align: top; border-top: 1px solid var(--line) }
th { font-weight: 600 }
summary { cursor: pointer }
button, input, select, textarea {
  min-height: var(--control); padding: 4px 12px; font: inherit; font-size: var(--size-2); color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
}
button { cursor: pointer }
button:hover { border-color: var(--quiet) }
::placeholder { color: var(--quiet); opacity: 1 }
.skip { position: absolute; inset-inline-start: 8px; top: -100px; padding: 8px 16px; background: var(--surface); z-index: 3 }
.skip:focus { top: 8px }
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { transition: none !important; animation: none !important }
}
`
